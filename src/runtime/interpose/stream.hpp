/// Streams of stdio: their locks, and what has to be read or written before libc is asked.
///
/// What writes or reads a stream takes its lock inside libc, where we could not see it wait, and
/// reads or writes its descriptor there with calls of its own. So every function first waits here
/// until the lock is free. Where the descriptor may block, its bytes go through our own read and
/// write steps, into and out of the stream's buffer; libc then finds what it needs in the buffer.
/// Nobody can come in between: we have the turn, or the stream's lock. As long as a stream is free
/// and its descriptor does not block, all of these are no points.
#pragma once

#include <stdio.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"

namespace unravel {

/// Returns when a call that locks `stream` would not wait.
void await_stream(FILE* stream, const void* site);

/// Whether bytes of it may have to be waited for: a pipe, a socket or a terminal.
bool may_wait(const FILE* stream);

/// Whether it has wide characters, which libc converts by itself.
inline bool is_wide(const FILE* stream) { return stream->_mode > 0; }

/// Keeps the lock of a stream while it lives, as libc does during a call.
class StreamHold {
 public:
  StreamHold(Thread& self, FILE* stream, bool locks, const void* site);
  ~StreamHold();
  StreamHold(const StreamHold&) = delete;
  StreamHold& operator=(const StreamHold&) = delete;

  /// `self` ends in the middle of calls on streams, which it never returns to.
  static void release_all(Thread& self);

 private:
  void release();

  Thread& self_;
  FILE* stream_;
  bool locks_;
  StreamHold* outer_;
};

inline constexpr int kUnbuffered = 0x2;  // a bit of a stream's flags, as glibc has them

/// Who makes a call on a stream, and where.
struct StreamCall {
  Thread& self;
  FILE* stream;
  const void* site;
};

/// Makes `plain` if libc can be trusted with the call, else `controlled`, with the stream's lock
/// held if `locks`. Both answer the same. `enough`: whether the buffer has all that the call needs.
template <class Enough, class Plain, class Controlled>
auto on_stream(FILE* stream, bool locks, const void* site, Enough enough, Plain plain,
               Controlled controlled) {
  Thread* self = controlled_thread();
  if (!self || !stream) return pass_through(site, plain);
  if (locks) await_stream(stream, site);
  if (enough()) return plain();
  // What such a stream reads or writes it does at once, by calls that are cancellation points.
  if (stream->_flags & kUnbuffered) cancellation_point(*self);
  if (is_wide(stream) || !may_wait(stream)) return plain();
  if (stream->_mode == 0) stream->_mode = -1;  // a stream of bytes from now on
  const StreamHold hold(*self, stream, locks, site);
  return controlled(StreamCall{*self, stream, site});
}

/// Writes what the stream holds back. False, with errno and the stream's error: it cannot be
/// written.
bool push(const StreamCall& call);

/// Writes `size` bytes as the stream's buffering wants it; how many.
std::size_t emit(const StreamCall& call, const void* bytes, std::size_t size);

/// Reads into the empty buffer of a stream. False: the end, or an error, which the stream says.
bool fill(const StreamCall& call);

/// For functions that libc makes as a whole: waits for the lock, writes what is held back, and
/// waits until the descriptor has something to read, or room, as `events` say. 0: neither is
/// needed.
void prepare(FILE* stream, short events, const void* site);

/// The same of every stream that is open.
void push_all(Thread& self, const void* site);

}  // namespace unravel
