/// Possible conflicts: the sites at which a switch of threads may matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "data/trace.hpp"
#include "predict/access.hpp"
#include "predict/address_table.hpp"
#include "predict/locksets.hpp"
#include "predict/shadow_memory.hpp"
#include "predict/site_pairs.hpp"
#include "predict/threads.hpp"

namespace unravel {

/// Sites of accesses that could meet another in some run, as far as creations, joins and locks
/// tell: by different threads, one of them a write, not both atomic, with no lock that would keep
/// them apart. Whatever else orders them in this run may order them otherwise in the next.
///
/// Finds more than a RaceDetector on the same trace, never less. Of a granule with more cells than
/// are kept in it, accesses are told apart by thread, site and kind only, and count as made to all
/// of its bytes under the locks that were held every time.
class ConflictFinder {
 public:
  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// In ascending order.
  [[nodiscard]] std::vector<std::uint32_t> sites() const;

  /// Which of them could meet which.
  [[nodiscard]] const std::vector<MetPair>& pairs() const { return pairs_.list(); }

  /// Of the tool's memory, for what the program's memory went through.
  [[nodiscard]] std::size_t shadow_bytes() const { return shadow_.bytes(); }

 private:
  using Granule = unravel::Granule<PerThread>;

  /// What is remembered of a granule that had too many cells, by AccessId.
  struct Crowded {
    Epoch epoch = Cell::kUnused;
    Locksets::Id lockset = Locksets::kEmpty;
  };
  using Crowd = AddressTable<Crowded>;

  void take(const TraceEvent& event);
  void access(TracedThread& thread, const TraceEvent& event, AccessKind kind);
  void access(TracedThread& thread, Granule& granule, std::uint64_t address, AccessId id);
  void check(const TracedThread& thread, const Granule& granule, AccessId id);
  void check(const TracedThread& thread, Crowd& crowd, Locksets::Id lockset, AccessId id);
  Crowd* crowd_of(std::uint64_t address);
  void free_block(TracedThread& thread, const TraceEvent& event);
  void take_sync(TracedThread& thread, const TraceEvent& event);
  void take_lock(TracedThread& thread, std::uint64_t object, LockMode mode);
  void take_unlock(TracedThread& thread, std::uint64_t object);
  void forget(std::uint64_t address, std::uint64_t size);
  void forget_lock(std::uint64_t object);
  void make_room(Granule& granule, std::uint64_t address);

  void access_crowd(const TracedThread& thread, Crowd& crowd, AccessId id);
  void add_to_crowd(Crowd& crowd, AccessId id, Epoch epoch, Locksets::Id lockset);
  void compare(const TracedThread& thread, Locksets::Id lockset, AccessId id, const Crowded& other,
               AccessId other_id);
  void mark(std::uint32_t site);

  Threads threads_;
  Locksets locksets_;
  AddressTable<std::uint32_t> lock_numbers_;  // by address, until the lock is forgotten
  std::set<std::uint64_t> locks_;             // the same addresses, to find those in freed memory
  std::uint32_t locks_met_ = 0;
  ShadowMemory<PerThread> shadow_;
  AddressTable<std::uint64_t> blocks_;     // sizes of allocated memory
  std::map<std::uint64_t, Crowd> crowds_;  // by address of the granule; few or none
  std::vector<bool> marked_;               // by site
  SitePairs pairs_;
};

}  // namespace unravel
