/// Contended pairs: synchronisation sites whose order another run may reverse.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/trace.hpp"
#include "predict/address_table.hpp"
#include "predict/site_pairs.hpp"
#include "predict/threads.hpp"

namespace unravel {

/// Operations of different threads on one object that only this run's schedule orders, as far as
/// creations and joins tell: two acquisitions of a lock, a wait and what ends it, two atomic
/// accesses with at least one write. The order of accesses under a lock follows from the order of
/// its acquisitions.
class ContentionFinder {
 public:
  /// The next events of the run.
  void take(std::span<const TraceEvent> events);

  [[nodiscard]] const std::vector<MetPair>& pairs() const { return pairs_.list(); }
  /// The same with the objects at which they met.
  [[nodiscard]] const SitePairs& met() const { return pairs_; }

 private:
  struct Met {
    std::uint32_t site = 0;
    Slot slot = 0;
    Epoch epoch = 0;
    wire::Operation operation = wire::Operation::kNone;
  };

  // Per object. Beyond this, the oldest are dropped: they were compared with many already. Chosen
  // by hand.
  static constexpr std::size_t kMostMet = 64;

  void take(const TraceEvent& event);
  void meet(const TracedThread& thread, const TraceEvent& event);

  Threads threads_;
  AddressTable<std::vector<Met>> objects_;
  SitePairs pairs_;
};

}  // namespace unravel
