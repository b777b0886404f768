/// Locks of stdio's streams. flockfile is a lock like any other: tried, never waited for. What
/// writes or reads a stream takes the same lock inside libc, where we could not see it wait; so
/// the most used of these functions first wait here until a stream that another thread keeps
/// locked is free. Nobody can take it in between: they have the turn. As long as a stream is
/// free, they are no points. docs/limits.md names those that are left out.
// libc's header has bodies of its own for some of these, which clang takes for definitions.
#define __NO_INLINE__ 1

#include "runtime/interpose/stream.hpp"

#include <errno.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// As glibc lays it out (_IO_lock_t).
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

}  // namespace

void await_stream(FILE* stream, const void* site) {
  Thread* self = controlled_thread();
  if (!self || !stream || !stream->_lock) return;
  const Op op = lock_op(stream, site);
  if (can_lock(op, *self)) return;
  const int kept = errno;
  scheduler().reach(*self, op);
  scheduler().did(*self, op);
  errno = kept;
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT void flockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::flockfile(stream);
  scheduler().acquire(*self, lock_op(stream, UNRAVEL_SITE), EBUSY, ETIMEDOUT,
                      [&] { return real::ftrylockfile(stream) == 0 ? 0 : EBUSY; });
}

UNRAVEL_EXPORT int ftrylockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::ftrylockfile(stream);
  const Op op{.kind = wire::Operation::kStreamTryLock, .object = stream, .site = UNRAVEL_SITE};
  return try_once(*self, op, EBUSY, [&] { return real::ftrylockfile(stream) == 0 ? 0 : EBUSY; });
}

UNRAVEL_EXPORT void funlockfile(FILE* stream) noexcept {
  Thread* self = controlled_thread();
  if (!self) return real::funlockfile(stream);
  const Op op{.kind = wire::Operation::kStreamUnlock, .object = stream, .site = UNRAVEL_SITE};
  scheduler().reach(*self, op);
  real::funlockfile(stream);
  scheduler().released(*self, stream);
  scheduler().did(*self, op);
}

// --- Writing -------------------------------------------------------------------------------------

UNRAVEL_EXPORT int putc(int character, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::putc(character, stream);
}

UNRAVEL_EXPORT int fputc(int character, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fputc(character, stream);
}

UNRAVEL_EXPORT int putchar(int character) {
  await_stream(stdout, UNRAVEL_SITE);
  return real::putchar(character);
}

UNRAVEL_EXPORT int puts(const char* text) {
  await_stream(stdout, UNRAVEL_SITE);
  return real::puts(text);
}

UNRAVEL_EXPORT int fputs(const char* text, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fputs(text, stream);
}

UNRAVEL_EXPORT std::size_t fwrite(const void* items, std::size_t size, std::size_t count,
                                  FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fwrite(items, size, count, stream);
}

UNRAVEL_EXPORT int vfprintf(FILE* stream, const char* format, va_list arguments) {
  await_stream(stream, UNRAVEL_SITE);
  return real::vfprintf(stream, format, arguments);
}

UNRAVEL_EXPORT int vprintf(const char* format, va_list arguments) {
  await_stream(stdout, UNRAVEL_SITE);
  return real::vfprintf(stdout, format, arguments);
}

UNRAVEL_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  await_stream(stream, UNRAVEL_SITE);
  va_list arguments;
  va_start(arguments, format);
  const int written = real::vfprintf(stream, format, arguments);
  va_end(arguments);
  return written;
}

UNRAVEL_EXPORT int printf(const char* format, ...) {
  await_stream(stdout, UNRAVEL_SITE);
  va_list arguments;
  va_start(arguments, format);
  const int written = real::vfprintf(stdout, format, arguments);
  va_end(arguments);
  return written;
}

UNRAVEL_EXPORT int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  await_stream(stream, UNRAVEL_SITE);
  return real::__vfprintf_chk(stream, flag, format, arguments);
}

UNRAVEL_EXPORT int __vprintf_chk(int flag, const char* format, va_list arguments) {
  await_stream(stdout, UNRAVEL_SITE);
  return real::__vfprintf_chk(stdout, flag, format, arguments);
}

UNRAVEL_EXPORT int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  await_stream(stream, UNRAVEL_SITE);
  va_list arguments;
  va_start(arguments, format);
  const int written = real::__vfprintf_chk(stream, flag, format, arguments);
  va_end(arguments);
  return written;
}

UNRAVEL_EXPORT int __printf_chk(int flag, const char* format, ...) {
  await_stream(stdout, UNRAVEL_SITE);
  va_list arguments;
  va_start(arguments, format);
  const int written = real::__vfprintf_chk(stdout, flag, format, arguments);
  va_end(arguments);
  return written;
}

// --- Reading -------------------------------------------------------------------------------------

UNRAVEL_EXPORT int getc(FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::getc(stream);
}

UNRAVEL_EXPORT int fgetc(FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fgetc(stream);
}

UNRAVEL_EXPORT int getchar() {
  await_stream(stdin, UNRAVEL_SITE);
  return real::getchar();
}

UNRAVEL_EXPORT char* fgets(char* text, int size, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fgets(text, size, stream);
}

UNRAVEL_EXPORT std::size_t fread(void* items, std::size_t size, std::size_t count, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fread(items, size, count, stream);
}

UNRAVEL_EXPORT ssize_t getdelim(char** line, std::size_t* size, int delimiter, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::getdelim(line, size, delimiter, stream);
}

UNRAVEL_EXPORT ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::getline(line, size, stream);
}

// --- Both ----------------------------------------------------------------------------------------

UNRAVEL_EXPORT int fflush(FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fflush(stream);
}

UNRAVEL_EXPORT int fclose(FILE* stream) {
  await_stream(stream, UNRAVEL_SITE);
  return real::fclose(stream);
}
