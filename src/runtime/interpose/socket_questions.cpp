/// Questions about a socket or another stream whose other end is outside: its addresses, its
/// options, how much there is to read. The answers are inputs of the run.
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/caught_calls.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/unblocked.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

/// Whether inputs are recorded or replayed, and the other end of the descriptor is outside.
bool is_about_outside(int descriptor) {
  if (!controlled_thread()) return false;
  const Inputs& inputs = runtime().inputs();
  if (!inputs.records() && !inputs.replays() && !inputs.serves()) return false;
  struct stat status {};
  return os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 && may_block(status) &&
         !runtime().outsiders().is_inside(descriptor, status);
}

/// Answers like a system call.
long ask(const os::CaughtCall& call) {
  const long(&a)[6] = call.arguments;
  return is_about_outside(static_cast<int>(a[0]))
             ? answer_caught_call(call)
             : os::call(call.number, a[0], a[1], a[2], a[3], a[4]);
}

int answered(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int getsockopt(int descriptor, int level, int option, void* value,
                              socklen_t* length) noexcept {
  return answered(ask(
      {.number = SYS_getsockopt,
       .arguments = {descriptor, level, option, os::as_argument(value), os::as_argument(length)}}));
}

UNRAVEL_EXPORT int getsockname(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  return answered(
      ask({.number = SYS_getsockname,
           .arguments = {descriptor, os::as_argument(address), os::as_argument(length)}}));
}

UNRAVEL_EXPORT int getpeername(int descriptor, sockaddr* address, socklen_t* length) noexcept {
  return answered(
      ask({.number = SYS_getpeername,
           .arguments = {descriptor, os::as_argument(address), os::as_argument(length)}}));
}

UNRAVEL_EXPORT int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list rest;
  va_start(rest, request);
  const long argument = va_arg(rest, long);
  va_end(rest);
  return answered(
      ask({.number = SYS_ioctl, .arguments = {descriptor, static_cast<long>(request), argument}}));
}
