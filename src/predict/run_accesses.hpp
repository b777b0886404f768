/// The accesses of one traced run, with what is needed to compare them with those of other runs.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "predict/conflicts.hpp"

namespace unravel {

/// A place in memory that other runs have, too: an offset in an allocated block, or an address.
struct MemoryPlace {
  std::uint32_t block = 0;   // index into RunAccesses::blocks(); 0: an address
  std::uint64_t offset = 0;  // in the block, or the address itself
};

/// A set of threads, one bit for each ordinal. Threads with higher ordinals are left out here:
/// where there are so many, they run the same lines as others.
using ThreadBits = std::uint64_t;
constexpr std::uint32_t kMostThreadBits = 64;
constexpr ThreadBits thread_bit(std::uint32_t ordinal) {
  return ordinal < kMostThreadBits ? ThreadBits{1} << ordinal : 0;
}

class RunAccesses final : public ConflictFinder::Listener {
 public:
  // Limits memory: some 80 bytes each. Chosen by hand.
  static constexpr std::size_t kMost = 1'000'000;

  /// The n-th block that a thread allocated at a site.
  struct Block {
    std::uint32_t site = 0;
    std::uint32_t thread = 0;
    std::uint32_t nth = 0;
  };
  struct Lock {
    MemoryPlace place;
    LockMode mode = LockMode::kWrite;
  };
  struct Access {
    MemoryPlace place;  // of its granule
    AccessId id;
    std::uint32_t thread = 0;
    std::uint32_t lockset = 0;
    Epoch epoch = 0;
    ThreadBits over = 0;  // threads that had ended before it
  };

  RunAccesses();

  void accessed(const TracedThread& thread, std::uint64_t address, AccessId id) override;
  void fresh(const TraceEvent& event) override;
  void freed(std::uint64_t address) override;
  void created(const TracedThread& creator, const TracedThread& thread) override;
  void joined(const TracedThread& joiner, std::uint32_t ordinal) override;

  /// Calls visit(access, threads that it may meet) for all accesses. Call it after the run's end.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Access& access : accesses_) visit(access, may_meet(access));
  }

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  /// The locks of each set, by Locksets::Id.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::vector<Lock>>& locksets() const {
    return locksets_;
  }
  /// All threads of the run.
  [[nodiscard]] ThreadBits threads() const { return threads_; }

 private:
  struct Start {
    std::uint32_t thread;
    VectorClock knows;  // what happened before its start
  };
  struct Extent {
    std::uint64_t size;
    std::uint32_t block;
  };

  [[nodiscard]] MemoryPlace place_of(std::uint64_t address) const;
  [[nodiscard]] ThreadBits may_meet(const Access& access) const;
  [[nodiscard]] ThreadBits over(std::uint32_t thread) const;

  std::vector<Block> blocks_;
  std::map<std::uint64_t, Extent> live_;                        // by address
  std::unordered_map<std::uint64_t, std::uint32_t> allocated_;  // by thread and site: how often
  std::unordered_map<std::uint32_t, std::vector<Lock>> locksets_;
  std::unordered_map<std::uint32_t, ThreadBits> over_;  // by ordinal
  std::vector<Start> starts_;
  std::vector<Access> accesses_;
  AddressTable<bool> known_;  // hashes of `accesses_`
  ThreadBits threads_ = thread_bit(0);
};

}  // namespace unravel
