/// Asks for the memory that the next events of a trace need, while the present one is looked at:
/// over much memory an analysis would else mostly wait.
#pragma once

#include <cstddef>
#include <span>

#include "data/trace.hpp"
#include "predict/shadow_memory.hpp"

namespace unravel {

class Lookahead {
 public:
  Lookahead(ShadowMemory& shadow, std::span<const TraceEvent> events)
      : shadow_(shadow), events_(events) {}

  /// Before event `i` is taken. Each distance waits for what a larger one has brought: the place of
  /// the page, the granule in it, the table of the granule.
  void at(std::size_t i) {
    if (i + kPage >= events_.size()) return;
    if (accesses(events_[i + kPage])) shadow_.prefetch_page(events_[i + kPage].object);
    if (accesses(events_[i + kGranuleOf])) shadow_.prefetch_granule(events_[i + kGranuleOf].object);
    if (accesses(events_[i + kTable])) shadow_.prefetch_table(events_[i + kTable].object);
  }

 private:
  static constexpr std::size_t kPage = 24;
  static constexpr std::size_t kGranuleOf = 16;
  static constexpr std::size_t kTable = 8;

  static bool accesses(const TraceEvent& event) {
    return event.operation >= wire::Operation::kLoad &&
           event.operation <= wire::Operation::kAtomicUpdate;
  }

  ShadowMemory& shadow_;
  std::span<const TraceEvent> events_;
};

}  // namespace unravel
