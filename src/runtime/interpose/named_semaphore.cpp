/// Named semaphores are waited for and posted as others are; only their life ends differently.
#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

using namespace unravel;

/// Its memory goes back to the system, and may come back as something else.
UNRAVEL_EXPORT int sem_close(sem_t* semaphore) noexcept {
  forget(semaphore);
  return real::sem_close(semaphore);
}
