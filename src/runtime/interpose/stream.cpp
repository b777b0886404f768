/// Locks and buffers of streams.
// libc's header has inline bodies for some of these, which clang takes for definitions.
#define __NO_INLINE__ 1

#include "runtime/interpose/stream.hpp"

#include <asm/ioctls.h>
#include <errno.h>

#include <cstring>
#include <utility>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/waiting.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

// glibc's bits of a stream's flags.
constexpr int kNoReads = 0x4;
constexpr int kEndSeen = 0x10;
constexpr int kErrorSeen = 0x20;
constexpr int kInBackup = 0x100;
constexpr int kLineBuffered = 0x200;
constexpr int kPutting = 0x800;
constexpr int kUserLocks = 0x8000;
constexpr __off64_t kUnknownOffset = -1;

/// glibc's layout (_IO_lock_t).
struct StreamLock {
  int lock;
  int count;
  void* owner;  // its pthread_t
};

const StreamLock& lock_of(const void* stream) {
  return *reinterpret_cast<const StreamLock*>(static_cast<const FILE*>(stream)->_lock);
}

bool can_lock(const Op& op, const Thread& thread) {
  const StreamLock& lock = lock_of(op.object);
  return lock.lock == 0 || reinterpret_cast<unsigned long>(lock.owner) == thread.handle;
}

Op lock_op(FILE* stream, const void* site) {
  return {.kind = wire::Operation::kStreamLock, .object = stream, .site = site, .can = can_lock};
}

bool is_terminal(int descriptor) {
  char settings[64];
  return os::call(SYS_ioctl, descriptor, TCGETS, os::as_argument(settings)) == 0;
}

}  // namespace

void await_stream(FILE* stream, const void* site) {
  Thread* self = controlled_thread();
  if (!self || !stream || !stream->_lock || (stream->_flags & kUserLocks)) return;
  const Op op = lock_op(stream, site);
  if (can_lock(op, *self)) return;
  const int kept = errno;
  scheduler().reach(*self, op);
  scheduler().did(*self, op);
  errno = kept;
}

bool may_wait(const FILE* stream) {
  const int descriptor = stream->_fileno;
  struct stat status {};
  if (descriptor < 0 || os::call(SYS_fstat, descriptor, os::as_argument(&status)) != 0)
    return false;
  if (!may_block(status)) return false;
  // Other devices (null, zero) answer at once.
  if (S_ISCHR(status.st_mode) && !is_terminal(descriptor)) return false;
  return !(os::call(SYS_fcntl, descriptor, F_GETFL) & O_NONBLOCK);
}

StreamHold::StreamHold(Thread& self, FILE* stream, bool locks, const void* site)
    : self_(self),
      stream_(stream),
      locks_(locks && stream->_lock && !(stream->_flags & kUserLocks)),
      outer_(self.interposer.held_streams) {
  self.interposer.held_streams = this;
  if (!locks_) return;
  locks_ = real::ftrylockfile(stream) == 0;
  if (locks_) scheduler().objects().acquired(self, lock_op(stream, site));
}

StreamHold::~StreamHold() { release(); }

void StreamHold::release() {
  self_.interposer.held_streams = outer_;
  if (!locks_) return;
  real::funlockfile(stream_);
  scheduler().objects().released(self_, stream_);
}

void StreamHold::release_all(Thread& self) {
  while (self.interposer.held_streams) self.interposer.held_streams->release();
}

// --- The buffer ----------------------------------------------------------------------------------

bool push(const StreamCall& call) {
  FILE* stream = call.stream;
  if (!(stream->_flags & kPutting)) return true;
  const char* next = stream->_IO_write_base;
  long result = 0;
  while (next < stream->_IO_write_ptr && result >= 0) {
    const auto size = static_cast<std::size_t>(stream->_IO_write_ptr - next);
    result = write_all(call.self, stream->_fileno, next, size, call.site);
    if (result > 0) next += result;
  }
  // Like libc: bytes that cannot be written are lost.
  char* begin = stream->_IO_buf_base;
  const bool fills = !(stream->_flags & (kLineBuffered | kUnbuffered));
  stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = begin;
  stream->_IO_write_base = stream->_IO_write_ptr = begin;
  stream->_IO_write_end = fills ? stream->_IO_buf_end : begin;
  if (result >= 0) return true;
  stream->_flags |= kErrorSeen;
  errno = static_cast<int>(-result);
  return false;
}

namespace {

/// Writes without the buffer, which is empty.
std::size_t write_through(const StreamCall& call, const char* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const long result =
        write_all(call.self, call.stream->_fileno, bytes + done, size - done, call.site);
    if (result < 0) {
      call.stream->_flags |= kErrorSeen;
      errno = static_cast<int>(-result);
      break;
    }
    done += static_cast<std::size_t>(result);
  }
  return done;
}

void keep_back(FILE* stream, const char* bytes, std::size_t size) {
  std::memcpy(stream->_IO_write_ptr, bytes, size);
  stream->_IO_write_ptr += size;
}

}  // namespace

std::size_t emit(const StreamCall& call, const void* bytes, std::size_t size) {
  FILE* stream = call.stream;
  const auto* begin = static_cast<const char*>(bytes);
  if (size == 0) return 0;
  // Prepares the stream for writing, with a buffer; nothing is written yet.
  if (!(stream->_flags & kPutting) && real::__overflow(stream, EOF) == EOF) return 0;
  const auto all = static_cast<std::size_t>(stream->_IO_buf_end - stream->_IO_buf_base);
  std::size_t through = 0;  // bytes that must be written when this returns
  if (stream->_flags & kUnbuffered) {
    through = size;
  } else if (stream->_flags & kLineBuffered) {
    for (std::size_t i = size; i > 0 && through == 0; --i) {
      if (begin[i - 1] == '\n') through = i;
    }
  }
  const auto room = static_cast<std::size_t>(stream->_IO_buf_end - stream->_IO_write_ptr);
  if (through == 0 && size <= room) {
    keep_back(stream, begin, size);
    return size;
  }
  // If there is room, both are written together: one line is one write.
  if (through > 0 && through <= room && stream->_IO_write_ptr > stream->_IO_write_base) {
    keep_back(stream, begin, through);
    if (!push(call)) return 0;
  } else {
    if (!push(call)) return 0;
    if (through == 0 && size >= all) through = size - size % all;
    const std::size_t done = write_through(call, begin, through);
    if (done < through) return done;
  }
  const std::size_t rest = size - through;
  if (rest >= all) return through + write_through(call, begin + through, rest);
  keep_back(stream, begin + through, rest);
  return size;
}

bool fill(const StreamCall& call) {
  FILE* stream = call.stream;
  if (stream->_flags & kInBackup) {
    // The pushed-back bytes are used up: the buffer's own bytes come next.
    stream->_flags &= ~kInBackup;
    std::swap(stream->_IO_read_end, stream->_IO_save_end);
    std::swap(stream->_IO_read_base, stream->_IO_save_base);
    stream->_IO_read_ptr = stream->_IO_read_base;
    if (stream->_IO_read_ptr < stream->_IO_read_end) return true;
  }
  if (stream->_flags & kEndSeen) return false;
  if (stream->_flags & kNoReads) {
    stream->_flags |= kErrorSeen;
    errno = EBADF;
    return false;
  }
  if (!push(call)) return false;
  if (stream->_flags & kPutting) real::_IO_switch_to_get_mode(stream);
  if (!stream->_IO_buf_base) real::_IO_doallocbuf(stream);
  // A prompt must be visible before its answer is read.
  if ((stream->_flags & (kLineBuffered | kUnbuffered)) && (stdout->_flags & kLineBuffered)) {
    fflush(stdout);
  }
  char* begin = stream->_IO_buf_base;
  stream->_IO_read_base = stream->_IO_read_ptr = stream->_IO_read_end = begin;
  stream->_IO_write_base = stream->_IO_write_ptr = stream->_IO_write_end = begin;
  const auto room = static_cast<std::size_t>(stream->_IO_buf_end - begin);
  const long count = read_step(call.self, stream->_fileno, begin, room, call.site);
  if (count <= 0) {
    stream->_flags |= count == 0 ? kEndSeen : kErrorSeen;
    stream->_offset = kUnknownOffset;
    if (count < 0) errno = static_cast<int>(-count);
    return false;
  }
  stream->_IO_read_end += count;
  if (stream->_offset >= 0) stream->_offset += count;
  return true;
}

void prepare(FILE* stream, short events, const void* site) {
  Thread* self = controlled_thread();
  if (!self || !stream) return;
  await_stream(stream, site);
  if (!may_wait(stream)) return;
  if (!is_wide(stream) && (stream->_flags & kPutting)) {
    const StreamHold hold(*self, stream, true, site);
    push(StreamCall{*self, stream, site});
  }
  const bool has_bytes = (events & POLLIN) && stream->_IO_read_ptr < stream->_IO_read_end;
  if (events == 0 || has_bytes) return;
  const ErrnoKeeper keeper;
  const StreamHold hold(*self, stream, true, site);
  pollfd wish{.fd = stream->_fileno, .events = events, .revents = 0};
  wait_for(
      *self, &wish, 1, wish.fd, kNever, nullptr, site, [](Ready) { return 1L; }, kNoParts);
  if (!runtime().outsiders().is_inside(wish.fd)) {
    runtime().inputs().give_up(*self, "the C library reads or writes a stream by itself");
  }
}

void push_all(Thread& self, const void* site) {
  for (void* at = real::_IO_iter_begin(); at != real::_IO_iter_end();
       at = real::_IO_iter_next(at)) {
    FILE* stream = real::_IO_iter_file(at);
    await_stream(stream, site);
    if (is_wide(stream) || !(stream->_flags & kPutting) || !may_wait(stream)) continue;
    const StreamHold hold(self, stream, true, site);
    push(StreamCall{self, stream, site});
  }
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT void flockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::flockfile, stream);
  scheduler().acquire(*self, lock_op(stream, UNRAVEL_SITE), EBUSY, ETIMEDOUT,
                      [&] { return real::ftrylockfile(stream) == 0 ? 0 : EBUSY; });
}
UNRAVEL_ALIAS(_IO_flockfile, flockfile);

UNRAVEL_EXPORT int ftrylockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::ftrylockfile, stream);
  const Op op{.kind = wire::Operation::kStreamTryLock, .object = stream, .site = UNRAVEL_SITE};
  return try_once(*self, op, EBUSY, [&] { return real::ftrylockfile(stream) == 0 ? 0 : EBUSY; });
}
UNRAVEL_ALIAS(_IO_ftrylockfile, ftrylockfile);

UNRAVEL_EXPORT void funlockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::funlockfile, stream);
  const Op op{.kind = wire::Operation::kStreamUnlock, .object = stream, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  real::funlockfile(stream);
  scheduler().objects().released(*self, stream);
  scheduler().did(*self, op);
}
UNRAVEL_ALIAS(_IO_funlockfile, funlockfile);
