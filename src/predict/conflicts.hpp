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

/// Sites of accesses that could meet in some run, as far as creations, joins and locks tell:
/// accesses by different threads, at least one a write, not both atomic, without a common lock that
/// excludes them. Anything else that orders them in this run may order them differently in the
/// next.
///
/// Finds everything that a RaceDetector finds on the same trace, and more. If a granule has too
/// many cells, accesses are told apart by thread, site and kind only. They then count as accesses
/// to all its bytes, under those locks that were held every time.
class ConflictFinder {
 public:
  /// Is told what the run did, without repetitions.
  class Listener {
   public:
    /// The first access of its kind by this thread, to this granule, under these locks, since the
    /// thread last created another; sometimes again.
    virtual void accessed(const TracedThread& thread, std::uint64_t address, AccessId id) = 0;
    /// There is new memory: allocated, mapped, or a new stack.
    virtual void fresh(const TraceEvent& event) = 0;
    virtual void freed(std::uint64_t address) = 0;
    virtual void created(const TracedThread& creator, const TracedThread& thread) = 0;
    /// Before the joined thread is forgotten.
    virtual void joined(const TracedThread& joiner, std::uint32_t ordinal) = 0;

   protected:
    ~Listener() = default;
  };

  explicit ConflictFinder(Listener* listener = nullptr) : listener_(listener) {}

  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// In ascending order.
  [[nodiscard]] std::vector<std::uint32_t> sites() const;

  /// The pairs of sites that could meet.
  [[nodiscard]] const std::vector<MetPair>& pairs() const { return pairs_.list(); }
  /// The same with the addresses at which they met.
  [[nodiscard]] const SitePairs& met() const { return pairs_; }

  /// Memory of the tool that the shadow takes.
  [[nodiscard]] std::size_t shadow_bytes() const { return shadow_.bytes(); }

 private:
  using Granule = unravel::Granule<PerThread>;

  /// A granule with too many cells: what is remembered, by AccessId.
  struct Crowded {
    Epoch epoch = Cell::kUnused;
    Locksets::Id lockset = Locksets::kEmpty;
  };
  using Crowd = AddressTable<Crowded>;

  void take(const TraceEvent& event);
  void access(TracedThread& thread, const TraceEvent& event, AccessKind kind);
  void access(TracedThread& thread, Granule& granule, std::uint64_t address, AccessId id);
  void check(const TracedThread& thread, const Granule& granule, std::uint64_t address,
             AccessId id);
  void check(const TracedThread& thread, Crowd& crowd, Locksets::Id lockset, AccessId id);
  Crowd* crowd_of(std::uint64_t address);
  void free_block(TracedThread& thread, const TraceEvent& event);
  void take_sync(TracedThread& thread, const TraceEvent& event);
  void create(TracedThread& creator, std::uint32_t ordinal);
  void join(TracedThread& joiner, std::uint32_t ordinal);
  void take_lock(TracedThread& thread, std::uint64_t object, LockMode mode);
  void take_unlock(TracedThread& thread, std::uint64_t object);
  void forget(std::uint64_t address, std::uint64_t size);
  void forget_lock(std::uint64_t object);
  void make_room(Granule& granule, std::uint64_t address);

  void access_crowd(const TracedThread& thread, Crowd& crowd, AccessId id);
  void add_to_crowd(Crowd& crowd, AccessId id, Epoch epoch, Locksets::Id lockset);
  void compare(const TracedThread& thread, Locksets::Id lockset, AccessId id, const Crowded& other,
               AccessId other_id, std::uint64_t address);
  void mark(std::uint32_t site);

  Listener* listener_;
  Threads threads_;
  Locksets locksets_;
  AddressTable<std::uint32_t> lock_numbers_;  // by address, until the lock's memory is freed
  std::set<std::uint64_t> locks_;             // the same addresses, to find those in freed memory
  std::uint32_t locks_met_ = 0;
  ShadowMemory<PerThread> shadow_;
  AddressTable<std::uint64_t> blocks_;     // sizes of allocated memory
  std::map<std::uint64_t, Crowd> crowds_;  // by address of the granule; few or none
  std::vector<bool> marked_;               // by site
  SitePairs pairs_;
};

}  // namespace unravel
