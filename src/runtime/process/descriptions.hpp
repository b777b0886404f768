/// Open file descriptions that the program shares with no other process. They are identified by
/// inode, not by number: a copy, or a descriptor that came back in a message, is the same
/// description.
#pragma once

#include <sys/stat.h>

#include <cstdint>

#include "runtime/core/object_table.hpp"

namespace unravel {

class Descriptions {
 public:
  explicit Descriptions(Arena& arena) : arena_(arena) {}

  /// Whether both ends are known to be in this process.
  [[nodiscard]] bool is_inside(int descriptor) const { return has(descriptor, kInside); }
  [[nodiscard]] bool is_inside(int descriptor, const struct stat& status) const {
    return has(descriptor, status, kInside);
  }
  void record_inside(int descriptor) { record(descriptor, kInside | kOwn); }
  /// Whether no other process can have it. Its flags may be changed for a moment then.
  [[nodiscard]] bool is_own(int descriptor, const struct stat& status) const {
    return has(descriptor, status, kOwn);
  }
  void record_own(int descriptor) { record(descriptor, kOwn); }
  /// Another process has it or may have it.
  void forget(int descriptor);

  /// `copy` is another number of the same description.
  void record_copy(int descriptor, int copy);
  /// A descriptor came in a message: it may be a copy of one that we know.
  void recognise(int descriptor);
  /// The number under which the description of a timer or of signals is recorded.
  [[nodiscard]] int original_of(int descriptor) const;
  /// `descriptor` was closed. Returns another number of the same description, or -1 if there is
  /// none. If `descriptor` was the original, the returned number is from now on.
  int closed(int descriptor);
  /// The highest number that is known without an inode. Higher ones need no look-up.
  [[nodiscard]] int highest() const { return highest_; }

  /// A new process has a copy of every description.
  void share_all() { ++generation_; }

 private:
  static constexpr std::uint32_t kInside = 1;
  static constexpr std::uint32_t kOwn = 2;

  /// A pipe or a socket. Each has an inode number, which the kernel does not reuse for a long time.
  struct Node {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint32_t generation = 0;
    std::uint32_t facts = 0;
    std::uint32_t next = 0;  // the next of the same hash, from 1 on
  };
  /// Descriptions without an inode of their own (eventfd, epoll) are identified by number.
  struct Number {
    int original = 0;  // from 1 on; 0: nothing is known
    std::uint32_t generation = 0;
    std::uint32_t facts = 0;
  };
  // The oldest are forgotten first, by the order in which they were recorded: it must not depend on
  // inodes, which differ from run to run. Forgotten ones count as shared, which is safe.
  static constexpr std::uint32_t kMostNodes = 1u << 16;
  static constexpr std::uint32_t kHashes = 1u << 16;
  // The kernel's default limit (fs.nr_open).
  static constexpr int kMostNumbers = 1 << 20;

  static bool has_inode(const struct stat& status);
  static std::uint32_t hash_of(const struct stat& status);
  [[nodiscard]] bool has(int descriptor, std::uint32_t fact) const;
  [[nodiscard]] bool has(int descriptor, const struct stat& status, std::uint32_t fact) const;
  void record(int descriptor, std::uint32_t facts);
  [[nodiscard]] Node* find(const struct stat& status) const;
  [[nodiscard]] bool is_number(int descriptor) const {
    return numbers_ && descriptor >= 0 && descriptor < kMostNumbers &&
           numbers_[descriptor].original != 0;
  }
  Number* number_at(int descriptor);
  void unlink(std::uint32_t index);

  Arena& arena_;
  Node* nodes_ = nullptr;  // a ring; allocated when the first one is recorded
  std::uint32_t* hashes_ = nullptr;
  std::uint64_t recorded_ = 0;
  Number* numbers_ = nullptr;
  int highest_ = -1;
  std::uint32_t generation_ = 1;
};

}  // namespace unravel
