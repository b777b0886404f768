/// Named semaphores. Only closing them differs from others.
#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

using namespace unravel;

/// Its memory is unmapped and may be reused.
UNRAVEL_EXPORT int sem_close(sem_t* semaphore) noexcept {
  forget(semaphore);
  return real::sem_close(semaphore);
}
