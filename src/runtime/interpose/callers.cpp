#include "runtime/interpose/callers.hpp"

namespace unravel {

bool counts(const void* site) {
  // A thread that is not ours, or has passed on the turn, makes no hooks: the countdown belongs to
  // whoever has it.
  return os::hooked_code.any() && current_thread && os::hooked_code.covers(site);
}

}  // namespace unravel

using namespace unravel;

/// Called by the constructor of every file that was compiled with hooks, and by programs that GCC
/// linked before any other constructor, ours too.
UNRAVEL_EXPORT void __tsan_init() { os::hooked_code.look_at_loaded(); }
