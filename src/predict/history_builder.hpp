/// Makes a History of a trace, in two passes.
///
/// The first pass finds the memory that two threads touch, the second keeps accesses to it. Rounds
/// of a loop that read the same values again are folded: of a loop that waits for a flag, the first
/// and the last round are kept.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/trace.hpp"
#include "predict/address_table.hpp"
#include "predict/held_locks.hpp"
#include "predict/history.hpp"
#include "predict/shared_memory.hpp"

namespace unravel {

/// The second pass.
class HistoryBuilder {
 public:
  // Limits memory: more events are not kept, and the history says so. Chosen by hand.
  static constexpr std::size_t kMostEvents = 60'000'000;
  // Ordinals above are not told apart; the trace is cut there.
  static constexpr std::uint32_t kMostThreads = 1 << 14;

  /// Whether the function that contains a site is to be atomic. It gets an index of the trace's
  /// sites.
  using IsAtomic = std::function<bool(std::uint32_t)>;

  explicit HistoryBuilder(const SharedMemory& shared, std::size_t most = kMostEvents,
                          IsAtomic is_atomic = {});

  void take(std::span<const TraceEvent> events);

  /// The history, with the sites that events of the trace are indices of.
  History finish(std::vector<wire::Site> sites);

 private:
  struct Thread {
    /// A read that may be part of a round.
    struct Recent {
      std::uint64_t signature;
      EventIndex event;
    };

    std::uint32_t ordinal = 0;
    HeldLocks held;
    Locksets::Id lockset = Locksets::kEmpty;
    std::vector<std::uint32_t> open;   // sections
    std::vector<EventIndex> incoming;  // events that must come before its next one
    std::vector<Recent> recent;        // reads since it last did something else
    std::vector<EventIndex> spins;     // reads of the loop in which it waits
    EventIndex last = kNoEvent;
    EventIndex region = kNoEvent;         // the first event of the critical section that it is in
    EventIndex marked_region = kNoEvent;  // the first event of the marked region, or a later one
    std::uint32_t marks = 0;              // that it has begun and not ended
    std::uint32_t marked_at = 0;          // the site of the first of them
    // The stack pointers of atomic functions that it is in, outermost first. They go down.
    std::vector<std::uint64_t> frames;
    wire::Operation waits_in = wire::Operation::kNone;
    std::uint64_t waits_for = 0;
  };

  void take(const TraceEvent& event);
  void take_access(const TraceEvent& event, Thread& thread, AccessKind kind);
  void take_piece(const TraceEvent& event, Thread& thread, std::uint64_t address,
                  std::uint8_t bytes, AccessKind kind, bool is_update);
  void take_free(const TraceEvent& event, Thread& thread);
  void take_sync(const TraceEvent& event, Thread& thread);
  void take_acquire(const TraceEvent& event, Thread& thread, LockMode mode);
  void take_release(const TraceEvent& event, Thread& thread, bool gives_up);
  void take_woke(const TraceEvent& event, Thread& thread);
  void take_unit(const TraceEvent& event, Thread& thread);
  void take_post(const TraceEvent& event, Thread& thread);
  void take_mark(const TraceEvent& event, Thread& thread);
  void take_frame(const TraceEvent& event, Thread& thread, bool is_entry);

  EventIndex add(const TraceEvent& event, Thread& thread, Role role, std::uint32_t object);
  EventIndex add_other(const TraceEvent& event, Thread& thread);
  void in_order(std::uint64_t key, EventIndex event);
  void fold(Thread& thread, EventIndex event);
  void end_section(Thread& thread, std::uint32_t lock, EventIndex release);
  void update_region(Thread& thread, EventIndex event, bool is_boundary);
  void update_marked_region(Thread& thread);
  void end_regions();
  void compact(History& history, std::vector<Region>& regions);

  Thread& thread(std::uint32_t ordinal);
  std::uint32_t object_of(std::uint64_t address, bool is_number);
  std::uint32_t variable_of(LifeNumber life, std::uint64_t address, unsigned byte);

  const SharedMemory& shared_;
  const std::size_t most_;
  const IsAtomic is_atomic_;
  History history_;
  GranuleMap map_;
  LifeNumber lives_ = 0;
  std::vector<std::uint32_t> variables_;      // by life: the number of its first variable, plus one
  std::vector<EventIndex> last_write_;        // by object
  std::vector<std::uint16_t> touched_by_;     // by object: the first thread + 1; kSeveral: several
  AddressTable<std::uint32_t> sync_objects_;  // by address or number
  AddressTable<std::uint64_t> blocks_;        // sizes of allocated memory
  AddressTable<EventIndex> last_of_object_;   // the last operation, by key
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Region> regions_;
  std::vector<bool> folded_;  // by event

  struct Semaphore {
    std::deque<EventIndex> posted;
    // Some units were there from the beginning: they are permits, and any of them will do.
    bool has_permits = false;
  };
  struct Barrier {
    std::vector<EventIndex> arrived;
    std::vector<EventIndex> left;
    bool completing = false;
    std::uint32_t completer = 0;
  };
  std::unordered_map<std::uint64_t, Semaphore> semaphores_;
  std::unordered_map<std::uint64_t, Barrier> barriers_;
  std::unordered_map<std::uint64_t, EventIndex> published_;
  // The last of each thread that sent something outside, by kind: signals by number, and ~0 for
  // descriptors.
  std::unordered_map<std::uint64_t, std::unordered_map<std::uint32_t, EventIndex>> sent_;
  // Attempts that failed because a thread holds the lock.
  std::unordered_map<std::uint32_t, std::vector<EventIndex>> refused_;
};

}  // namespace unravel
