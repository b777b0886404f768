/// Predict: what could have gone wrong in a run, found in its trace.
///
/// Knows traces. Does not know processes, files or the terminal; sites are numbers here, and
/// whoever asked for them gives them names.
///
/// This header: data races, pairs of accesses that nothing orders.
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

/// One side of a race. `event` is its place in the trace, counted from 0 over all that was taken:
/// clock, operation and size are to be found there.
struct RacingAccess {
  std::uint64_t event = 0;
  std::uint32_t thread = 0;  // ordinal
  std::uint32_t site = 0;
  AccessKind kind = AccessKind::kRead;  // freeing memory writes all of it

  friend bool operator==(const RacingAccess&, const RacingAccess&) = default;
};

/// Two sites whose accesses raced, in either order; the accesses are those of the first time.
struct Race {
  RacingAccess earlier;
  RacingAccess later;
  std::uint64_t address = 0;  // the first byte that both accessed, of those in one granule
  // Accesses that raced with a remembered one. Repetitions by a thread that has released nothing
  // in between are not counted.
  std::uint64_t count = 0;

  friend bool operator==(const Race&, const Race&) = default;
};

/// Finds every pair of sites with accesses that race, over happens-before. Both kinds of summary in
/// it, epochs and heads, are FastTrack's (Flanagan and Freund, "FastTrack: Efficient and Precise
/// Dynamic Race Detection", PLDI 2009), which only finds whether a variable has a race: behind
/// them all cells are kept, so that every pair is found.
///
/// A granule has at most kMostCells cells. If there are more, first those go that happened
/// before whatever any thread will do, by which nothing is lost; then those whose access was
/// longest ago.
class RaceDetector {
 public:
  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  /// In the order in which they were found.
  [[nodiscard]] const std::vector<Race>& races() const { return races_; }

  /// Of the tool's memory, for what the program's memory went through.
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
  std::uint64_t event_ = 0;  // place of the present one
};

}  // namespace unravel
