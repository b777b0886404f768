/// Streams of stdio: their locks, and what is read or written before libc is called.
///
/// libc takes a stream's lock inside its functions, where we could not see a thread wait, and it
/// reads and writes the descriptor there with its own calls. So every function first waits here
/// until the lock is free. Where the descriptor may block, the bytes go through our own read and
/// write steps, into and out of the stream's buffer; libc then finds what it needs in the buffer.
/// No other thread can interfere: we have the turn or the stream's lock. While a stream is free and
/// its descriptor does not block, none of this is a point.
#pragma once

#include <stdio.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"

namespace unravel {

/// Returns when a call that locks `stream` would not wait.
void await_stream(FILE* stream, const void* site);

/// Whether reading or writing may have to wait: a pipe, a socket or a terminal.
bool may_wait(const FILE* stream);

/// Whether it has wide characters, which libc converts itself.
inline bool is_wide(const FILE* stream) { return stream->_mode > 0; }

/// Holds the lock of a stream while it lives, like libc during a call.
class StreamHold {
 public:
  StreamHold(Thread& self, FILE* stream, bool locks, const void* site);
  ~StreamHold();
  StreamHold(const StreamHold&) = delete;
  StreamHold& operator=(const StreamHold&) = delete;

  /// `self` ends in the middle of calls on streams and never returns to them.
  static void release_all(Thread& self);

 private:
  void release();

  Thread& self_;
  FILE* stream_;
  bool locks_;
  StreamHold* outer_;
};

inline constexpr int kUnbuffered = 0x2;  // glibc's bit of a stream's flags

/// The thread that calls, the stream, and the site of the call.
struct StreamCall {
  Thread& self;
  FILE* stream;
  const void* site;
};

/// Calls `plain` if libc can make the call without waiting, else `controlled`, with the stream's
/// lock held if `locks`. Both give the same answer. `enough`: whether the buffer has all that the
/// call needs.
template <class Enough, class Plain, class Controlled>
auto on_stream(FILE* stream, bool locks, const void* site, Enough enough, Plain plain,
               Controlled controlled) {
  Thread* self = controlled_thread();
  if (!self || !stream) return pass_through(site, plain);
  if (locks) await_stream(stream, site);
  if (enough()) return plain();
  // An unbuffered stream reads and writes at once, by calls that are cancellation points.
  if (stream->_flags & kUnbuffered) cancellation_point(*self);
  if (is_wide(stream) || !may_wait(stream)) return plain();
  if (stream->_mode == 0) stream->_mode = -1;  // from now on a stream of bytes
  const StreamHold hold(*self, stream, locks, site);
  return controlled(StreamCall{*self, stream, site});
}

/// Writes the buffered bytes. Returns false, with errno and the stream's error flag, if they cannot
/// be written.
bool push(const StreamCall& call);

/// Writes `size` bytes according to the stream's buffering. Returns how many.
std::size_t emit(const StreamCall& call, const void* bytes, std::size_t size);

/// Reads into a stream's empty buffer. Returns false at the end or on an error, as the stream's
/// flags say.
bool fill(const StreamCall& call);

/// For calls that libc makes as a whole: waits for the lock, writes the buffered bytes, and waits
/// until the descriptor has something to read or has room, as `events` say. 0: neither is needed.
void prepare(FILE* stream, short events, const void* site);

/// Writes the buffered bytes of every open stream.
void push_all(Thread& self, const void* site);

}  // namespace unravel
