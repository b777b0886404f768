/// The scanf family. libc reads byte by byte and cannot be continued in the middle. So it gets what
/// is there. If that is not enough, more is read, and it starts again with all of it, storing the
/// same results again.
#define __NO_INLINE__ 1

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>

#include <cstring>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

constexpr int kErrorSeen = 0x20;
constexpr int kInBackup = 0x100;

using Scan = int (*)(FILE*, const char*, va_list);

int scan_once(Scan scan, FILE* stream, const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int result = scan(stream, format, copy);
  va_end(copy);
  return result;
}

/// Appends to the buffered bytes. Returns 0 at the end, less on an error or if there is no room.
long read_more(const StreamCall& call) {
  FILE* stream = call.stream;
  const auto size = static_cast<std::size_t>(stream->_IO_read_end - stream->_IO_read_ptr);
  std::memmove(stream->_IO_buf_base, stream->_IO_read_ptr, size);
  stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_buf_base;
  stream->_IO_read_end = stream->_IO_buf_base + size;
  const auto room = static_cast<std::size_t>(stream->_IO_buf_end - stream->_IO_read_end);
  if (room == 0) return -ENOBUFS;
  const long count = read_step(call.self, stream->_fileno, stream->_IO_read_end, room, call.site);
  if (count > 0) stream->_IO_read_end += count;
  return count;
}

/// While this lives, the stream reads from a descriptor that never waits.
class Instead {
 public:
  Instead(FILE* stream, long other)
      : stream_(stream), descriptor_(stream->_fileno), other_(static_cast<int>(other)) {
    stream->_fileno = other_;
  }
  ~Instead() {
    stream_->_fileno = descriptor_;
    os::call(SYS_close, other_);
  }
  Instead(const Instead&) = delete;
  Instead& operator=(const Instead&) = delete;

 private:
  FILE* stream_;
  int descriptor_;
  int other_;
};

int scan_in_portions(const StreamCall& call, Scan scan, const char* format, va_list arguments) {
  FILE* stream = call.stream;
  const bool empty = stream->_IO_read_ptr == stream->_IO_read_end;
  if ((stream->_flags & kInBackup) || (empty && !fill(call))) {
    return scan_once(scan, stream, format, arguments);
  }
  for (;;) {
    char* const base = stream->_IO_read_base;
    char* const next = stream->_IO_read_ptr;
    char* const end = stream->_IO_read_end;
    const int error_before = stream->_flags & kErrorSeen;
    const int errno_before = errno;
    int result = 0;
    {
      const Instead nothing(stream, os::call(SYS_eventfd2, 0, EFD_NONBLOCK | EFD_CLOEXEC));
      stream->_flags &= ~kErrorSeen;
      errno = 0;
      result = scan_once(scan, stream, format, arguments);
    }
    const bool too_little = (stream->_flags & kErrorSeen) && errno == EAGAIN;
    if (!too_little) {
      stream->_flags |= error_before;
      if (errno == 0) errno = errno_before;
      return result;
    }
    // The buffer still has its bytes; libc only counts them as read.
    stream->_flags = (stream->_flags & ~kErrorSeen) | error_before;
    errno = errno_before;
    stream->_IO_read_base = base;
    stream->_IO_read_ptr = next;
    stream->_IO_read_end = end;
    const long more = read_more(call);
    if (more > 0) continue;
    // A call that needs more than fits into the buffer is left to libc.
    if (more == -ENOBUFS) return scan_once(scan, stream, format, arguments);
    const Instead ended(stream,
                        os::call(SYS_open, os::as_argument("/dev/null"), O_RDONLY | O_CLOEXEC));
    result = scan_once(scan, stream, format, arguments);
    if (more < 0) {
      stream->_flags |= kErrorSeen;
      errno = static_cast<int>(-more);
    }
    return result;
  }
}

int scan(Scan real_scan, FILE* stream, const char* format, va_list arguments, const void* site) {
  return on_stream(
      stream, true, site, [] { return false; },
      [&] { return scan_once(real_scan, stream, format, arguments); },
      [&](const StreamCall& call) { return scan_in_portions(call, real_scan, format, arguments); });
}

}  // namespace

}  // namespace unravel

using namespace unravel;

#define SCANNED(call, last)  \
  va_list arguments;         \
  va_start(arguments, last); \
  const int result = call;   \
  va_end(arguments);         \
  return result

// The header maps the plain names to those of C99; older programs call other names.
#define SCAN_FAMILY(of_list, of_stdin_list, of_stream, of_stdin, real_scan)         \
  UNRAVEL_EXPORT int of_list(FILE* stream, const char* format, va_list arguments) { \
    return scan(real_scan, stream, format, arguments, UNRAVEL_SITE);                \
  }                                                                                 \
  UNRAVEL_EXPORT int of_stdin_list(const char* format, va_list arguments) {         \
    return scan(real_scan, stdin, format, arguments, UNRAVEL_SITE);                 \
  }                                                                                 \
  UNRAVEL_EXPORT int of_stream(FILE* stream, const char* format, ...) {             \
    SCANNED(scan(real_scan, stream, format, arguments, UNRAVEL_SITE), format);      \
  }                                                                                 \
  UNRAVEL_EXPORT int of_stdin(const char* format, ...) {                            \
    SCANNED(scan(real_scan, stdin, format, arguments, UNRAVEL_SITE), format);       \
  }

SCAN_FAMILY(__isoc99_vfscanf, __isoc99_vscanf, __isoc99_fscanf, __isoc99_scanf,
            real::__isoc99_vfscanf.get())

UNRAVEL_EXPORT int old_vfscanf(FILE* stream, const char* format, va_list arguments) asm("vfscanf");
UNRAVEL_EXPORT int old_vscanf(const char* format, va_list arguments) asm("vscanf");
UNRAVEL_EXPORT int old_fscanf(FILE* stream, const char* format, ...) asm("fscanf");
UNRAVEL_EXPORT int old_scanf(const char* format, ...) asm("scanf");
SCAN_FAMILY(old_vfscanf, old_vscanf, old_fscanf, old_scanf, real::vfscanf.get())
extern "C" __attribute__((visibility("default"), alias("vfscanf"))) decltype(old_vfscanf) __vfscanf;
