/// Open file descriptions that the program's threads share with no other process. They are known by
/// their inodes, not by their numbers: a copy, or one that came back in a message, is the same one.
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
  /// Whether no other process can have it: its flags may be changed for a moment.
  [[nodiscard]] bool is_own(int descriptor, const struct stat& status) const {
    return has(descriptor, status, kOwn);
  }
  void record_own(int descriptor) { record(descriptor, kOwn); }
  /// Another process has it too, or may have it.
  void forget(int descriptor);

  /// `copy` is another number of the same description.
  void record_copy(int descriptor, int copy);
  /// A descriptor that came in a message: it may be a copy of one that we know.
  void recognise(int descriptor);
  /// The number by which others know the description of a timer or of signals.
  [[nodiscard]] int original_of(int descriptor) const;
  /// `descriptor` is no longer a number of what it was. Another one of the same description, which
  /// is the original from now on if it was; -1: there is none.
  int closed(int descriptor);
  /// The highest number of those that have no inode of their own; others are not worth a look.
  [[nodiscard]] int highest() const { return highest_; }

  /// A new process has a copy of everything.
  void share_all() { ++generation_; }

 private:
  static constexpr std::uint32_t kInside = 1;
  static constexpr std::uint32_t kOwn = 2;

  /// A pipe or a socket. Each has an inode, which the kernel does not use again for a long time.
  struct Node {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint32_t generation = 0;
    std::uint32_t facts = 0;
    std::uint32_t next = 0;  // of the same hash, from 1 on
  };
  /// What has no inode of its own (eventfd, epoll) is known by its number.
  struct Number {
    int original = 0;  // from 1 on; 0: nothing is known
    std::uint32_t generation = 0;
    std::uint32_t facts = 0;
  };
  // The oldest are forgotten first, by the order in which they were recorded: what is known must
  // not depend on inodes, which differ from run to run. Forgotten ones count as shared, which is
  // safe.
  static constexpr std::uint32_t kMostNodes = 1u << 16;
  static constexpr std::uint32_t kHashes = 1u << 16;
  // As many as the kernel allows unless it is told otherwise.
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
  Node* nodes_ = nullptr;  // a ring; taken when the first one is recorded
  std::uint32_t* hashes_ = nullptr;
  std::uint64_t recorded_ = 0;
  Number* numbers_ = nullptr;
  int highest_ = -1;
  std::uint32_t generation_ = 1;
};

}  // namespace unravel
