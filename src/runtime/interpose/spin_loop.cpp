/// Threads in a loop that only reads memory. They reach no point by themselves; the driver notices
/// that and makes them call this (os/spin_entry.S).
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

extern "C" [[gnu::visibility("hidden")]] void unravel_on_spin(const void* site) {
  Thread* self = controlled_thread();
  if (!self) return;
  const ErrnoKeeper keeper;
  scheduler().waiting().spin(*self, site);
}

}  // namespace unravel
