/// What prediction keeps of a run: accesses to memory that two threads touch, and synchronisation.
///
/// Events are numbered in the order of the run. An event has 40 bytes, so that a run with some
/// millions of them can be analysed in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/trace.hpp"
#include "predict/locksets.hpp"

namespace unravel {

using EventIndex = std::uint32_t;
inline constexpr EventIndex kNoEvent = ~EventIndex{0};

/// What an event is for code that reorders events.
enum class Role : std::uint8_t {
  kRead,
  kWrite,
  kUpdate,  // reads and writes at once
  kAcquire,
  kAcquireShared,
  kRelease,
  kOther,  // any other synchronisation
};

constexpr bool reads(Role role) { return role == Role::kRead || role == Role::kUpdate; }
constexpr bool writes(Role role) { return role == Role::kWrite || role == Role::kUpdate; }
constexpr bool is_access(Role role) { return role <= Role::kUpdate; }
constexpr bool is_acquire(Role role) {
  return role == Role::kAcquire || role == Role::kAcquireShared;
}

struct KeptEvent {
  std::uint32_t object = 0;  // index into History::objects
  std::uint32_t site = 0;    // index into History::sites
  std::uint32_t value = 0;   // of an access: a hash of what was read or written
  std::uint32_t hooks = 0;   // the clock, as in TraceEvent
  std::uint32_t operations = 0;
  // Of a read: the write whose value it has, kNoEvent if the run did not write it before. Of an
  // acquire or a release: the index of its section.
  EventIndex source = kNoEvent;
  EventIndex next = kNoEvent;  // the next event of the same thread
  Locksets::Id lockset = Locksets::kEmpty;
  std::uint16_t thread = 0;  // ordinal
  wire::Operation operation = wire::Operation::kNone;
  Role role = Role::kOther;
  std::uint8_t bytes = 0;  // of its granule that it accesses, a bit each
  bool is_atomic = false;
  bool has_value = false;
  bool has_edges = false;  // it ends an edge of History::must or History::usual

  [[nodiscard]] wire::Clock clock() const { return {operations, hooks}; }
};
static_assert(sizeof(KeptEvent) == 40);

/// A variable, or any other thing that threads act on.
struct KeptObject {
  std::uint64_t address = 0;  // or a number
  bool is_variable = false;
};

/// A critical section: from the acquire of a lock to its release.
struct Section {
  EventIndex acquire = kNoEvent;
  EventIndex release = kNoEvent;  // kNoEvent: it was held to the end
  std::uint32_t lock = 0;         // an object
  std::uint16_t thread = 0;
  LockMode mode = LockMode::kWrite;
};

/// `from` came before `to`, which is an event of another thread.
struct OrderEdge {
  EventIndex from = kNoEvent;
  EventIndex to = kNoEvent;

  friend bool operator==(const OrderEdge&, const OrderEdge&) = default;
};

/// Why events are one unit. Regions of one kind do not overlap in a thread.
enum class RegionKind : std::uint8_t {
  kSection,  // an outermost critical section: probably
  kMarked,   // the user says so
};
inline constexpr std::size_t kRegionKinds = 2;

/// Events of one thread that are meant to be one unit.
struct Region {
  EventIndex first = kNoEvent;  // or a later event of any thread
  EventIndex last = kNoEvent;
  std::uint16_t thread = 0;
  RegionKind kind = RegionKind::kSection;
};

/// A mark of a region without its counterpart.
struct StrayMark {
  std::uint32_t thread = 0;
  std::uint32_t site = 0;  // index into History::sites

  friend bool operator==(const StrayMark&, const StrayMark&) = default;
};

class History {
 public:
  std::vector<KeptEvent> events;
  std::vector<KeptObject> objects;
  std::vector<wire::Site> sites;  // [0] is "not known"
  std::vector<Section> sections;
  // Sorted by `to`. What must be so in every run of these events: creation, join, a wake and the
  // thread that it woke, a unit of a semaphore and who took it, ...
  std::vector<OrderEdge> must;
  // What was so in this run and may be otherwise: operations on one condition variable, and so on.
  std::vector<OrderEdge> usual;
  // A thread that waited in a loop for a value, and the write that it saw.
  std::vector<OrderEdge> spins;
  Locksets locksets;                    // locks are objects
  std::vector<StrayMark> stray_ends;    // of marked regions that had not begun
  std::vector<StrayMark> stray_begins;  // of those in which a thread ended

  std::uint64_t traced = 0;  // events of the trace, kept or not
  bool is_cut = false;       // there were too many: the rest of the run is missing

  [[nodiscard]] std::uint32_t threads() const {
    return static_cast<std::uint32_t>(threads_.size());
  }
  [[nodiscard]] EventIndex first_of(std::uint32_t thread) const { return threads_[thread].first; }
  [[nodiscard]] wire::Site site_of(EventIndex event) const { return sites[events[event].site]; }

  /// Whether `one` comes before `other` in every run of these events, as far as creation, join and
  /// wakes tell. `with_spins`: loops that wait for a value count, too.
  [[nodiscard]] bool is_before(EventIndex one, EventIndex other, bool with_spins = false) const;

  /// The events that come right before an event, by edges of `edges`.
  [[nodiscard]] static std::span<const OrderEdge> edges_to(const std::vector<OrderEdge>& edges,
                                                           EventIndex event);

  /// The section of this thread and lock around an event; null: it does not hold the lock there.
  [[nodiscard]] const Section* section_around(EventIndex event, std::uint32_t lock) const;
  /// The sections of a lock, in the order of their acquires.
  [[nodiscard]] std::span<const std::uint32_t> sections_of(std::uint32_t lock) const;
  /// The sections that contain an event, outermost first.
  [[nodiscard]] std::vector<std::uint32_t> sections_around(EventIndex event) const;

  /// The number of the region of a kind that contains an event; nothing: it is in none.
  [[nodiscard]] std::optional<std::uint32_t> region_of(EventIndex event, RegionKind kind) const;
  [[nodiscard]] const Region& region(std::uint32_t number) const { return regions_[number]; }
  [[nodiscard]] bool has_regions(RegionKind kind) const {
    return has_regions_[static_cast<std::size_t>(kind)];
  }
  /// Whether two events of one thread are in the same marked region.
  [[nodiscard]] bool are_marked(EventIndex first, EventIndex last) const;
  /// The numbers of a thread's regions of a kind, in order.
  [[nodiscard]] std::span<const std::uint32_t> regions_of(std::uint32_t thread,
                                                          RegionKind kind) const {
    return threads_[thread].regions[static_cast<std::size_t>(kind)];
  }

  /// Accesses to a variable, in order.
  [[nodiscard]] std::span<const EventIndex> accesses_to(std::uint32_t object) const;

  /// Call when all events are there.
  void finish(std::vector<Region> regions);

  /// The memory that all of it takes.
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Events of one thread with the same knowledge of others.
  struct Segment {
    EventIndex first = 0;
    std::uint32_t clock = 0;  // its place in `clocks_`
    std::uint32_t length = 0;
  };
  struct Thread {
    EventIndex first = kNoEvent;
    std::vector<Segment> segments;
    std::array<std::vector<std::uint32_t>, kRegionKinds> regions;  // numbers, in order
    std::vector<std::uint32_t> sections;                           // in the order of their acquires
  };
  /// What is known of each thread: all its events below this index.
  struct Order {
    std::vector<std::vector<Segment>> segments;  // by thread
    std::vector<EventIndex> clocks;
  };

  void link_events();
  void index_accesses();
  void index_sections();
  void work_out(Order& order, bool with_spins) const;
  [[nodiscard]] static std::span<const EventIndex> clock_at(const Order& order,
                                                            std::uint32_t thread, EventIndex event);

  std::vector<Thread> threads_;
  std::vector<Region> regions_;
  std::array<bool, kRegionKinds> has_regions_{};
  Order must_order_;
  Order spin_order_;                          // with the edges of `spins`; empty: the same
  std::vector<std::uint32_t> access_starts_;  // by object, into `accesses_`
  std::vector<EventIndex> accesses_;
  std::vector<std::uint32_t> section_starts_;  // by object, into `sections_of_locks_`
  std::vector<std::uint32_t> sections_of_locks_;
};

}  // namespace unravel
