/// Calls that are not scheduled: every interposed function begins here.
///
///     Thread* self = controlled_thread();
///     if (!self) return pass_through(UNRAVEL_SITE, real::pthread_mutex_lock, mutex);
///
/// controlled_thread() says whether the call is scheduled, pass_through() what happens to one that
/// is not. A mode in which threads run in parallel changes these two, and no interposed function.
#pragma once

#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

/// Calls the real function for a thread that is not under control, or with arguments that leave
/// nothing to schedule. `site` is where the program called it.
template <class Site, class Function, class... Arguments>
[[gnu::always_inline]] inline auto pass_through([[maybe_unused]] const Site& site, Function& real,
                                                Arguments... arguments) {
  return real(arguments...);
}

}  // namespace unravel
