#include "runtime/core/stops.hpp"

namespace unravel {

bool Stops::take_reached(const Thread& thread) {
  // A waiting thread's operation is already counted: it does not stand before the next one.
  const bool before_next = !thread.waiting && wire::is_synchronisation(thread.pending.kind);
  bool due = false;
  for (const wire::StopAt* stop = next(); stop; stop = next()) {
    if (stop->thread.ordinal != thread.ordinal) break;
    const bool here = stop->clock.operations == thread.clock.operations;
    const bool reached = stop->clock.hooks == wire::kBeforeNext
                             ? before_next
                             : stop->clock.hooks <= thread.clock.hooks;
    if (stop->clock.operations > thread.clock.operations || (here && !reached)) break;
    due = due || here;
    ++at_;
  }
  return due;
}

}  // namespace unravel
