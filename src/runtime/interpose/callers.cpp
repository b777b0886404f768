#include "runtime/interpose/callers.hpp"

#include <dlfcn.h>

#include "runtime/os/real.hpp"

namespace unravel {

bool counts(const void* site) {
  // A thread that is not ours, or has passed on the turn, makes no hooks: the countdown belongs to
  // whoever has it.
  return os::hooked_code.any() && current_thread && os::hooked_code.covers(site);
}

}  // namespace unravel

using namespace unravel;

// --- Modules with hooks come and go ---

/// Called by the constructor of every file that was compiled with hooks, and by programs that GCC
/// linked before any other constructor, ours too.
UNRAVEL_EXPORT void __tsan_init() { os::hooked_code.look_at_loaded(); }

UNRAVEL_EXPORT int dlclose(void* handle) {
  const int error = real::dlclose(handle);
  if (os::hooked_code.any()) os::hooked_code.forget_unloaded();
  return error;
}
