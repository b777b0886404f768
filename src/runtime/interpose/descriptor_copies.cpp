/// Making, copying and closing descriptors. What is known of a description follows its copies.
#include "runtime/interpose/descriptor_copies.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

Descriptions& descriptions() { return runtime().outsiders().descriptions(); }

void forget_numbers(unsigned first, unsigned last) {
  for (int descriptor = static_cast<int>(first);
       descriptor <= descriptions().highest() && static_cast<unsigned>(descriptor) <= last;
       ++descriptor) {
    forget_descriptor(descriptor);
  }
}

/// Called after a call that gave `copy` another meaning.
int recording_copy(int descriptor, int copy) {
  if (!controlled_thread() || copy < 0) return copy;
  record_copy(descriptor, copy);
  scheduler().outside().changed();  // its old description was closed
  return copy;
}

}  // namespace

void forget_descriptor(int descriptor) {
  runtime().streams().record_file(descriptor, 0);
  if (runtime().inputs().serves()) runtime().served_sets().forget(descriptor);
  const bool is_original = descriptions().original_of(descriptor) == descriptor;
  const int other = descriptions().closed(descriptor);
  if (!is_original) return;
  Signals& signals = runtime().signals();
  Timers& timers = runtime().timers();
  const int timer = timers.find(descriptor);
  if (other >= 0) {
    signals.rename_watcher(descriptor, other);
    if (timer != Timers::kNone) timers.at(timer).descriptor = other;
  } else {
    signals.forget_watcher(descriptor);
    if (timer != Timers::kNone) timers.forget(timer);
  }
}

void record_copy(int descriptor, int copy) {
  if (copy < 0 || descriptor == copy) return;
  forget_descriptor(copy);
  descriptions().record_copy(descriptor, copy);
  runtime().streams().record_copy(descriptor, copy);
}

void record_pair(const Thread& self, int one, int other) {
  for (const int end : {one, other}) {
    runtime().outsiders().record_inside(end);
    if (runtime().inputs().is_on()) runtime().streams().record_made(end, self);
  }
}

}  // namespace unravel

using namespace unravel;

// --- Closed --------------------------------------------------------------------------------------

UNRAVEL_EXPORT int close(int descriptor) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::close, descriptor);
  cancellation_point(*self);
  forget_descriptor(descriptor);
  const int result = real::close(descriptor);
  scheduler().outside().changed();  // a reader may see the end of file now
  return result;
}
UNRAVEL_ALIAS(__close, close);

UNRAVEL_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  const int result = real::close_range(first, last, flags);
  constexpr int kOnlyMarks = 4;  // CLOSE_RANGE_CLOEXEC
  if (!controlled_thread() || result != 0 || (flags & kOnlyMarks)) return result;
  forget_numbers(first, last);
  scheduler().outside().changed();
  return result;
}

UNRAVEL_EXPORT void closefrom(int first) noexcept {
  real::closefrom(first);
  if (!controlled_thread()) return;
  forget_numbers(first < 0 ? 0 : static_cast<unsigned>(first), ~0u);
  scheduler().outside().changed();
}

// --- Copied --------------------------------------------------------------------------------------

UNRAVEL_EXPORT int dup(int descriptor) noexcept {
  const int copy = real::dup(descriptor);
  if (controlled_thread()) record_copy(descriptor, copy);
  return copy;
}

UNRAVEL_EXPORT int dup2(int descriptor, int copy) noexcept {
  return recording_copy(descriptor, real::dup2(descriptor, copy));
}
UNRAVEL_ALIAS(__dup2, dup2);

UNRAVEL_EXPORT int dup3(int descriptor, int copy, int flags) noexcept {
  return recording_copy(descriptor, real::dup3(descriptor, copy, flags));
}

// --- Made ----------------------------------------------------------------------------------------

UNRAVEL_EXPORT int pipe2(int ends[2], int flags) noexcept {
  const int result = real::pipe2(ends, flags);
  Thread* self = controlled_thread();
  if (self && result == 0) record_pair(*self, ends[0], ends[1]);
  return result;
}

UNRAVEL_EXPORT int pipe(int ends[2]) noexcept { return pipe2(ends, 0); }
UNRAVEL_ALIAS(__pipe, pipe);

UNRAVEL_EXPORT int eventfd(unsigned value, int flags) noexcept {
  const int result = real::eventfd(value, flags);
  if (controlled_thread() && result >= 0) runtime().outsiders().record_inside(result);
  return result;
}
