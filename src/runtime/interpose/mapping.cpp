/// Memory that is unmapped: what was known of it is forgotten before it is used again.
#include <errno.h>

#include <cstddef>

#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

using namespace unravel;

UNRAVEL_EXPORT int munmap(void* memory, std::size_t size) noexcept {
  const long answer = os::call(SYS_munmap, os::as_argument(memory), static_cast<long>(size));
  if (answer < 0) {
    errno = static_cast<int>(-answer);
    return -1;
  }
  if (current_thread && recorder.on()) {
    recorder.annotate(wire::Operation::kFresh, reinterpret_cast<std::uint64_t>(memory), 0, size,
                      UNRAVEL_SITE);
  }
  return 0;
}
