/// Calls on streams that neither read nor write the program's bytes: closing, flushing, seeking.
/// Also messages to standard error, which libc writes itself once there is room.
// libc's header has inline bodies for some of these, which clang takes for definitions.
#define __NO_INLINE__ 1

#include <errno.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor_copies.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

using namespace unravel;

// --- Flushing and closing ------------------------------------------------------------------------

UNRAVEL_EXPORT int fflush(FILE* stream) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::fflush, stream);
  if (!stream) {
    push_all(*self, UNRAVEL_SITE);
    return real::fflush(nullptr);
  }
  return on_stream(
      stream, true, UNRAVEL_SITE, [] { return false; }, [&] { return real::fflush(stream); },
      [&](const StreamCall& call) { return push(call) ? real::fflush(stream) : EOF; });
}
UNRAVEL_ALIAS(_IO_fflush, fflush);

UNRAVEL_EXPORT int fflush_unlocked(FILE* stream) {
  if (!stream) return fflush(nullptr);
  return on_stream(
      stream, false, UNRAVEL_SITE, [] { return false; },
      [&] { return real::fflush_unlocked(stream); },
      [&](const StreamCall& call) { return push(call) ? real::fflush_unlocked(stream) : EOF; });
}

UNRAVEL_EXPORT void _flushlbf() {
  if (Thread* self = controlled_thread()) push_all(*self, UNRAVEL_SITE);
  real::_flushlbf();
}

UNRAVEL_EXPORT int _IO_flush_all() { return fflush(nullptr); }

UNRAVEL_EXPORT int fclose(FILE* stream) {
  Thread* self = controlled_thread();
  if (!self || !stream) return pass_through(UNRAVEL_SITE, real::fclose, stream);
  prepare(stream, 0, UNRAVEL_SITE);
  if (stream->_fileno >= 0) forget_descriptor(stream->_fileno);
  const int result = real::fclose(stream);
  scheduler().outside().changed();  // a reader may see the end of file now
  return result;
}
UNRAVEL_ALIAS(_IO_fclose, fclose);

UNRAVEL_EXPORT int fcloseall() {
  if (Thread* self = controlled_thread()) push_all(*self, UNRAVEL_SITE);
  return real::fcloseall();
}

// --- Positions and buffers: these lock, and buffered bytes must be written first -----------------

#define LOCKED(type, name, parameters, arguments) \
  UNRAVEL_EXPORT type name parameters {           \
    prepare(stream, 0, UNRAVEL_SITE);             \
    return real::name arguments;                  \
  }

LOCKED(int, fseek, (FILE * stream, long offset, int from), (stream, offset, from))
LOCKED(int, fseeko, (FILE * stream, off_t offset, int from), (stream, offset, from))
UNRAVEL_ALIAS(fseeko64, fseeko);
LOCKED(long, ftell, (FILE * stream), (stream))
UNRAVEL_ALIAS(_IO_ftell, ftell);
LOCKED(off_t, ftello, (FILE * stream), (stream))
UNRAVEL_ALIAS(ftello64, ftello);
LOCKED(void, rewind, (FILE * stream), (stream))
LOCKED(int, fgetpos, (FILE * stream, fpos_t* position), (stream, position))
UNRAVEL_ALIAS(_IO_fgetpos, fgetpos);
LOCKED(int, fgetpos64, (FILE * stream, fpos64_t* position), (stream, position))
UNRAVEL_ALIAS(_IO_fgetpos64, fgetpos64);
LOCKED(int, fsetpos, (FILE * stream, const fpos_t* position), (stream, position))
UNRAVEL_ALIAS(_IO_fsetpos, fsetpos);
LOCKED(int, fsetpos64, (FILE * stream, const fpos64_t* position), (stream, position))
UNRAVEL_ALIAS(_IO_fsetpos64, fsetpos64);
LOCKED(int, setvbuf, (FILE * stream, char* bytes, int mode, std::size_t size) noexcept,
       (stream, bytes, mode, size))
UNRAVEL_ALIAS(_IO_setvbuf, setvbuf);
LOCKED(void, setbuf, (FILE * stream, char* bytes) noexcept, (stream, bytes))
LOCKED(void, setbuffer, (FILE * stream, char* bytes, std::size_t size) noexcept,
       (stream, bytes, size))
UNRAVEL_ALIAS(_IO_setbuffer, setbuffer);
LOCKED(void, setlinebuf, (FILE * stream) noexcept, (stream))

#undef LOCKED

// These lock the stream and do nothing else that could wait.
#define LOOKED_AT(type, name)                       \
  UNRAVEL_EXPORT type name(FILE* stream) noexcept { \
    await_stream(stream, UNRAVEL_SITE);             \
    return real::name(stream);                      \
  }

LOOKED_AT(int, feof)
UNRAVEL_ALIAS(_IO_feof, feof);
LOOKED_AT(int, ferror)
UNRAVEL_ALIAS(_IO_ferror, ferror);
LOOKED_AT(void, clearerr)

#undef LOOKED_AT

// --- Messages ------------------------------------------------------------------------------------

UNRAVEL_EXPORT void perror(const char* text) {
  prepare(stderr, POLLOUT, UNRAVEL_SITE);
  real::perror(text);
}
