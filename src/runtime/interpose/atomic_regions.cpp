/// Regions that the program marks as atomic: include/unravel/atomic.h calls these if it finds them.
/// They only leave notes in a trace. How many regions a thread is in is counted without a trace,
/// too, since the trace may begin inside one.
#include "runtime/process/runtime.hpp"

using namespace unravel;

UNRAVEL_EXPORT void unravel_runtime_atomic_begin() {
  Thread* self = current_thread;
  if (!self) return;
  const void* site = UNRAVEL_HOOK_SITE;
  InterposerState& state = self->interposer;
  if (state.atomic_regions++ == 0) state.atomic_site = site;
  if (recorder.on()) recorder.annotate(wire::Operation::kAtomicBegin, 0, 0, 0, site);
}

UNRAVEL_EXPORT void unravel_runtime_atomic_end() {
  Thread* self = current_thread;
  if (!self) return;
  if (self->interposer.atomic_regions > 0) --self->interposer.atomic_regions;
  if (recorder.on()) recorder.annotate(wire::Operation::kAtomicEnd, 0, 0, 0, UNRAVEL_HOOK_SITE);
}
