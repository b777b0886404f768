/// Predict: finds in a trace what could have gone wrong in a run.
///
/// This room knows traces. It knows nothing of processes, files or the terminal. Sites are numbers
/// here; callers give them names.
///
/// This header: data races, which are pairs of accesses that nothing orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "data/trace.hpp"
#include "predict/access.hpp"
#include "predict/address_table.hpp"
#include "predict/happens_before.hpp"
#include "predict/shadow_memory.hpp"

namespace unravel {

/// One side of a race. `event` is its position in the trace, from 0 over all events; clock,
/// operation and size are found there.
struct RacingAccess {
  std::uint64_t event = 0;
  std::uint32_t thread = 0;  // ordinal
  std::uint32_t site = 0;
  AccessKind kind = AccessKind::kRead;  // freeing memory counts as a write of all of it

  friend bool operator==(const RacingAccess&, const RacingAccess&) = default;
};

/// Two sites whose accesses raced, in either order. The accesses are those of the first time.
struct Race {
  RacingAccess earlier;
  RacingAccess later;
  std::uint64_t address = 0;  // the first byte that both accessed, within one granule
  // Accesses that raced with a remembered one. Repetitions without a release of the thread in
  // between are not counted.
  std::uint64_t count = 0;

  friend bool operator==(const Race&, const Race&) = default;
};

/// Finds every pair of sites with racing accesses, by happens-before. Both kinds of summary, epochs
/// and heads, are from FastTrack (Flanagan and Freund, "FastTrack: Efficient and Precise Dynamic
/// Race Detection", PLDI 2009), which only finds whether a variable has a race. Here all cells are
/// kept behind them, so every pair is found.
///
/// A granule has at most kMostCells cells. If there are more, cells that happened before everything
/// that any thread will do are dropped first, which loses nothing; then the oldest.
class RaceDetector {
 public:
  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// In the order in which they were found.
  [[nodiscard]] const std::vector<Race>& races() const { return races_; }

  /// Memory of the tool that the shadow takes.
  [[nodiscard]] std::size_t shadow_bytes() const { return shadow_.bytes(); }

 private:
  using Granule = unravel::Granule<PerAccess>;

  void take(const TraceEvent& event);
  void access(TracedThread& thread, const TraceEvent& event, AccessKind kind);
  void access(TracedThread& thread, Granule& granule, std::uint64_t address, AccessId id);
  void free_block(TracedThread& thread, const TraceEvent& event);
  void forget(std::uint64_t address, std::uint64_t size);
  void check(const TracedThread& thread, Granule& granule, std::uint64_t address, AccessId id);
  void scan(const TracedThread& thread, Granule& granule, std::uint64_t address, AccessId id);
  void report(const TracedThread& thread, const Cell& cell, std::uint64_t address, AccessId id);
  void make_room(Granule& granule);

  HappensBefore order_;
  ShadowMemory<PerAccess> shadow_;
  AddressTable<std::uint64_t> blocks_;      // sizes of allocated memory
  AddressTable<std::uint32_t> race_index_;  // by pair of sites
  std::vector<Race> races_;
  std::uint64_t event_ = 0;  // position of the current event
};

}  // namespace unravel
