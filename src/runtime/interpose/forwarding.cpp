/// What happens before functions that are passed on with their arguments unchanged (forwarding.S).
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

/// One function of forwarded_functions.inc.
struct Forwarded {
  enum class Before : int {
    kWarn,         // warns that the program uses something that is not controlled
    kAwaitStderr,  // it writes to stderr: waits until no other thread has that stream locked
  };

  const char* name;
  Before before;
  void* real;
};

/// Functions that only old binaries use have no default version.
constexpr char kOldestVersion[] = "GLIBC_2.2.5";

long not_there() {
  errno = ENOSYS;
  return -1;
}

void* find(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  if (void* found = dlvsym(RTLD_NEXT, name, kOldestVersion)) return found;
  return reinterpret_cast<void*>(not_there);
}

}  // namespace

// One row for each function, which finds it by its own name.
extern "C" {
#define UNRAVEL_ROW(name, before)                                             \
  [[gnu::visibility("hidden")]] constinit Forwarded unravel_forwarded_##name{ \
      #name, Forwarded::Before::before, nullptr};
#define UNRAVEL_WARNED(name) UNRAVEL_ROW(name, kWarn)
#define UNRAVEL_TO_STDERR(name) UNRAVEL_ROW(name, kAwaitStderr)
#define UNRAVEL_OTHER_NAME(name, of)
#include "runtime/interpose/forwarded_functions.inc"
#undef UNRAVEL_WARNED
#undef UNRAVEL_TO_STDERR
#undef UNRAVEL_OTHER_NAME
}

/// Called by forwarding.S. Returns the address to jump to.
extern "C" [[gnu::visibility("hidden")]] void* unravel_before_forwarding(Forwarded* function,
                                                                         const void* site) {
  const ErrnoKeeper keeper;
  if (!function->real) function->real = find(function->name);
  if (!controlled_thread()) return function->real;
  switch (function->before) {
    case Forwarded::Before::kWarn: runtime().warn_uncontrolled(function->name); break;
    case Forwarded::Before::kAwaitStderr: await_stream(stderr, site); break;
  }
  return function->real;
}

}  // namespace unravel
