/// Calls that never wait for a thread of the program, but are cancellation points.
#include <fcntl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/interpose/cancel.hpp"
#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

void pass_point() {
  if (Thread* self = controlled_thread()) cancellation_point(*self);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int fsync(int descriptor) {
  pass_point();
  return real::fsync(descriptor);
}

UNRAVEL_EXPORT int fdatasync(int descriptor) {
  pass_point();
  return real::fdatasync(descriptor);
}

UNRAVEL_EXPORT int msync(void* address, std::size_t size, int flags) {
  pass_point();
  return real::msync(address, size, flags);
}

UNRAVEL_EXPORT int tcdrain(int descriptor) {
  pass_point();
  return real::tcdrain(descriptor);
}

UNRAVEL_EXPORT int sync_file_range(int descriptor, off64_t offset, off64_t size, unsigned flags) {
  pass_point();
  return real::sync_file_range(descriptor, offset, size, flags);
}
