/// A thread that is made behind the C library's back: it is made as asked, and noted.
#include <sched.h>
#include <stdarg.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

using namespace unravel;

UNRAVEL_EXPORT int clone(int (*function)(void*), void* stack, int flags, void* argument,
                         ...) noexcept {
  // What was not given is some value, which nobody looks at without its flag.
  va_list list;
  va_start(list, argument);
  auto* parent_id = va_arg(list, pid_t*);
  void* storage = va_arg(list, void*);
  auto* child_id = va_arg(list, pid_t*);
  va_end(list);
  if (controlled_thread() && (flags & CLONE_THREAD)) {
    runtime().note_uncontrolled("a thread made by clone()");
  }
  return real::clone(function, stack, flags, argument, parent_id, storage, child_id);
}
