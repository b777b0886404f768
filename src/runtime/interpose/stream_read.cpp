/// Reading streams.
// libc's header has inline bodies for some of these, which clang takes for definitions.
#define __NO_INLINE__ 1

#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include <cstring>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

constexpr int kErrorSeen = 0x20;

std::size_t available(const FILE* stream) {
  return static_cast<std::size_t>(stream->_IO_read_end - stream->_IO_read_ptr);
}

int next_of(const StreamCall& call) {
  if (available(call.stream) == 0 && !fill(call)) return EOF;
  return static_cast<unsigned char>(*call.stream->_IO_read_ptr++);
}

std::size_t read_bytes(const StreamCall& call, void* to, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    if (available(call.stream) == 0 && !fill(call)) break;
    const std::size_t there = available(call.stream);
    const std::size_t used = there < size - done ? there : size - done;
    std::memcpy(static_cast<char*>(to) + done, call.stream->_IO_read_ptr, used);
    call.stream->_IO_read_ptr += used;
    done += used;
  }
  return done;
}

/// Reads up to and including the next `delimiter`, at most `most` bytes, and passes them to `take`
/// in portions. Returns false if `take` refused.
template <class Take>
bool read_until(const StreamCall& call, int delimiter, std::size_t most, Take take) {
  while (most > 0) {
    if (available(call.stream) == 0 && !fill(call)) return true;
    const char* begin = call.stream->_IO_read_ptr;
    const std::size_t there = available(call.stream) < most ? available(call.stream) : most;
    const auto* found = static_cast<const char*>(std::memchr(begin, delimiter, there));
    const std::size_t used = found ? static_cast<std::size_t>(found - begin) + 1 : there;
    if (!take(begin, used)) return false;
    call.stream->_IO_read_ptr += used;
    most -= used;
    if (found) return true;
  }
  return true;
}

char* read_line(const StreamCall& call, char* text, int size) {
  if (size <= 0) return nullptr;
  if (size == 1) {
    text[0] = '\0';
    return text;
  }
  // Earlier errors do not count here.
  const int error_before = call.stream->_flags & kErrorSeen;
  call.stream->_flags &= ~kErrorSeen;
  std::size_t length = 0;
  read_until(call, '\n', static_cast<std::size_t>(size) - 1,
             [&](const char* part, std::size_t used) {
               std::memcpy(text + length, part, used);
               length += used;
               return true;
             });
  const bool failed = (call.stream->_flags & kErrorSeen) && errno != EAGAIN;
  call.stream->_flags |= error_before;
  if (length == 0 || failed) return nullptr;
  text[length] = '\0';
  return text;
}

/// The buffer grows as in libc.
ssize_t read_record(const StreamCall& call, char** line, std::size_t* room, int delimiter) {
  if (!line || !room) {
    errno = EINVAL;
    return -1;
  }
  if (!*line || *room == 0) {
    constexpr std::size_t kFirst = 120;
    auto* first = static_cast<char*>(real::realloc(*line, kFirst));
    if (!first) return -1;
    *line = first;
    *room = kFirst;
  }
  std::size_t length = 0;
  const auto add = [&](const char* part, std::size_t used) {
    const std::size_t needed = length + used + 1;
    if (needed > *room) {
      const std::size_t larger = needed < 2 * *room ? 2 * *room : needed;
      auto* grown = static_cast<char*>(real::realloc(*line, larger));
      if (!grown) return false;
      *line = grown;
      *room = larger;
    }
    std::memcpy(*line + length, part, used);
    length += used;
    return true;
  };
  if (!read_until(call, delimiter, ~std::size_t{0}, add) || length == 0) return -1;
  (*line)[length] = '\0';
  return static_cast<ssize_t>(length);
}

}  // namespace

}  // namespace unravel

using namespace unravel;

namespace unravel {
namespace {

template <class Plain>
int read_character(FILE* stream, bool locks, const void* site, Plain plain) {
  return on_stream(
      stream, locks, site, [&] { return available(stream) > 0; }, plain, next_of);
}

template <class Plain>
char* read_text(char* text, int size, FILE* stream, bool locks, const void* site, Plain plain) {
  const auto enough = [&] {
    const std::size_t there = available(stream);
    return size <= 1 || there + 1 >= static_cast<std::size_t>(size) ||
           (there && std::memchr(stream->_IO_read_ptr, '\n', there));
  };
  return on_stream(stream, locks, site, enough, plain,
                   [&](const StreamCall& call) { return read_line(call, text, size); });
}

template <class Plain>
std::size_t read_items(void* items, std::size_t size, std::size_t count, FILE* stream, bool locks,
                       const void* site, Plain plain) {
  const std::size_t bytes = size * count;
  return on_stream(
      stream, locks, site, [&] { return bytes <= available(stream); }, plain,
      [&](const StreamCall& call) { return read_bytes(call, items, bytes) / size; });
}

template <class Plain>
ssize_t read_delimited(char** line, std::size_t* size, int delimiter, FILE* stream,
                       const void* site, Plain plain) {
  const auto enough = [&] {
    const std::size_t there = available(stream);
    return there && std::memchr(stream->_IO_read_ptr, delimiter, there);
  };
  return on_stream(stream, true, site, enough, plain, [&](const StreamCall& call) {
    return read_record(call, line, size, delimiter);
  });
}

/// Whether this many items do not fit, or their size overflows.
bool is_too_large(std::size_t room, std::size_t size, std::size_t count) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(size, count, &bytes) ? count != 0 : bytes > room;
}

}  // namespace
}  // namespace unravel

// --- Characters ----------------------------------------------------------------------------------

UNRAVEL_EXPORT int getc(FILE* stream) {
  return read_character(stream, true, UNRAVEL_SITE, [&] { return real::getc(stream); });
}
UNRAVEL_ALIAS(_IO_getc, getc);

UNRAVEL_EXPORT int fgetc(FILE* stream) {
  return read_character(stream, true, UNRAVEL_SITE, [&] { return real::fgetc(stream); });
}

UNRAVEL_EXPORT int getchar() {
  return read_character(stdin, true, UNRAVEL_SITE, [] { return real::getchar(); });
}

UNRAVEL_EXPORT int getc_unlocked(FILE* stream) {
  return read_character(stream, false, UNRAVEL_SITE, [&] { return real::getc_unlocked(stream); });
}

UNRAVEL_EXPORT int fgetc_unlocked(FILE* stream) {
  return read_character(stream, false, UNRAVEL_SITE, [&] { return real::fgetc_unlocked(stream); });
}

UNRAVEL_EXPORT int getchar_unlocked() {
  return read_character(stdin, false, UNRAVEL_SITE, [] { return real::getchar_unlocked(); });
}

// getc_unlocked is inlined into the program; it calls this when the buffer is empty.
UNRAVEL_EXPORT int __uflow(FILE* stream) {
  return read_character(stream, false, UNRAVEL_SITE, [&] { return real::__uflow(stream); });
}

UNRAVEL_EXPORT int __underflow(FILE* stream) {
  return on_stream(
      stream, false, UNRAVEL_SITE, [] { return false; }, [&] { return real::__underflow(stream); },
      [&](const StreamCall& call) {
        const bool there = available(stream) > 0 || fill(call);
        return there ? int{static_cast<unsigned char>(*stream->_IO_read_ptr)} : EOF;
      });
}

UNRAVEL_EXPORT int getw(FILE* stream) {
  return on_stream(
      stream, true, UNRAVEL_SITE, [&] { return available(stream) >= sizeof(int); },
      [&] { return real::getw(stream); },
      [&](const StreamCall& call) {
        int word = 0;
        return read_bytes(call, &word, sizeof(word)) == sizeof(word) ? word : EOF;
      });
}

// --- Lines and blocks ----------------------------------------------------------------------------

UNRAVEL_EXPORT char* fgets(char* text, int size, FILE* stream) {
  return read_text(text, size, stream, true, UNRAVEL_SITE,
                   [&] { return real::fgets(text, size, stream); });
}
UNRAVEL_ALIAS(_IO_fgets, fgets);

UNRAVEL_EXPORT char* fgets_unlocked(char* text, int size, FILE* stream) {
  return read_text(text, size, stream, false, UNRAVEL_SITE,
                   [&] { return real::fgets_unlocked(text, size, stream); });
}

UNRAVEL_EXPORT char* __fgets_chk(char* text, std::size_t room, int size, FILE* stream) {
  if (size > 0 && static_cast<std::size_t>(size) > room) real::__chk_fail();
  return read_text(text, size, stream, true, UNRAVEL_SITE,
                   [&] { return real::fgets(text, size, stream); });
}

UNRAVEL_EXPORT char* __fgets_unlocked_chk(char* text, std::size_t room, int size, FILE* stream) {
  if (size > 0 && static_cast<std::size_t>(size) > room) real::__chk_fail();
  return read_text(text, size, stream, false, UNRAVEL_SITE,
                   [&] { return real::fgets_unlocked(text, size, stream); });
}

UNRAVEL_EXPORT std::size_t fread(void* items, std::size_t size, std::size_t count, FILE* stream) {
  return read_items(items, size, count, stream, true, UNRAVEL_SITE,
                    [&] { return real::fread(items, size, count, stream); });
}
UNRAVEL_ALIAS(_IO_fread, fread);

UNRAVEL_EXPORT std::size_t fread_unlocked(void* items, std::size_t size, std::size_t count,
                                          FILE* stream) {
  return read_items(items, size, count, stream, false, UNRAVEL_SITE,
                    [&] { return real::fread_unlocked(items, size, count, stream); });
}

UNRAVEL_EXPORT std::size_t __fread_chk(void* items, std::size_t room, std::size_t size,
                                       std::size_t count, FILE* stream) {
  if (is_too_large(room, size, count)) real::__chk_fail();
  return read_items(items, size, count, stream, true, UNRAVEL_SITE,
                    [&] { return real::fread(items, size, count, stream); });
}

UNRAVEL_EXPORT std::size_t __fread_unlocked_chk(void* items, std::size_t room, std::size_t size,
                                                std::size_t count, FILE* stream) {
  if (is_too_large(room, size, count)) real::__chk_fail();
  return read_items(items, size, count, stream, false, UNRAVEL_SITE,
                    [&] { return real::fread_unlocked(items, size, count, stream); });
}

UNRAVEL_EXPORT ssize_t getdelim(char** line, std::size_t* size, int delimiter, FILE* stream) {
  return read_delimited(line, size, delimiter, stream, UNRAVEL_SITE,
                        [&] { return real::getdelim(line, size, delimiter, stream); });
}
UNRAVEL_ALIAS(__getdelim, getdelim);

UNRAVEL_EXPORT ssize_t getline(char** line, std::size_t* size, FILE* stream) {
  return read_delimited(line, size, '\n', stream, UNRAVEL_SITE,
                        [&] { return real::getline(line, size, stream); });
}

// --- Left to libc, once there is something to read -----------------------------------------------

UNRAVEL_EXPORT int ungetc(int character, FILE* stream) {
  prepare(stream, 0, UNRAVEL_SITE);
  return real::ungetc(character, stream);
}
UNRAVEL_ALIAS(_IO_ungetc, ungetc);

UNRAVEL_EXPORT char* gets(char* text) {
  prepare(stdin, POLLIN, UNRAVEL_SITE);
  return real::gets(text);
}
UNRAVEL_ALIAS(_IO_gets, gets);

UNRAVEL_EXPORT char* __gets_chk(char* text, std::size_t room) {
  prepare(stdin, POLLIN, UNRAVEL_SITE);
  return real::__gets_chk(text, room);
}
