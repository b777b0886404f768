/// Writing streams.
// libc's header has inline bodies for some of these, which clang takes for definitions.
#define __NO_INLINE__ 1

#include <errno.h>
#include <sys/mman.h>

#include <cstring>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

/// Whether this many bytes fit into the buffer.
bool has_room(const FILE* stream, std::size_t size) {
  return stream->_IO_write_ptr < stream->_IO_write_end &&
         size <= static_cast<std::size_t>(stream->_IO_write_end - stream->_IO_write_ptr);
}

template <class Plain>
int write_character(int character, FILE* stream, bool locks, const void* site, Plain plain) {
  return on_stream(
      stream, locks, site, [&] { return has_room(stream, 1); }, plain,
      [&](const StreamCall& call) {
        const auto byte = static_cast<unsigned char>(character);
        return emit(call, &byte, 1) == 1 ? int{byte} : EOF;
      });
}

template <class Plain>
int write_text(const char* text, FILE* stream, bool locks, const void* site, Plain plain) {
  const std::size_t size = std::strlen(text);
  return on_stream(
      stream, locks, site, [&] { return has_room(stream, size); }, plain,
      [&](const StreamCall& call) { return emit(call, text, size) == size ? 1 : EOF; });
}

template <class Plain>
std::size_t write_items(const void* items, std::size_t size, std::size_t count, FILE* stream,
                        bool locks, const void* site, Plain plain) {
  const std::size_t bytes = size * count;
  return on_stream(
      stream, locks, site, [&] { return bytes == 0 || has_room(stream, bytes); }, plain,
      [&](const StreamCall& call) { return emit(call, items, bytes) / size; });
}

/// Passes the text that `print(room, size)` makes to `use`. It prints twice, to know the length
/// first: the runtime has no memory of unknown size.
template <class Print, class Use>
int with_printed(Print print, Use use) {
  char few[512];
  const int length = print(few, sizeof(few));
  if (length < 0) return length;
  const auto size = static_cast<std::size_t>(length);
  if (size < sizeof(few)) return use(few, size);
  const auto mapped_size = static_cast<long>(size + 1);
  const long mapped = os::call(SYS_mmap, 0, mapped_size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped < 0 && mapped > -4096) {
    errno = ENOMEM;
    return -1;
  }
  auto* many = reinterpret_cast<char*>(mapped);
  print(many, size + 1);
  const int result = use(many, size);
  os::call(SYS_munmap, mapped, mapped_size);
  return result;
}

/// `checks`: the flag of a fortified call; negative: the call is a plain one.
int print_to(char* to, std::size_t room, int checks, const char* format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  const int length = checks < 0
                         ? real::vsnprintf(to, room, format, copy)
                         : real::__vsnprintf_chk(to, room, checks, ~std::size_t{0}, format, copy);
  va_end(copy);
  return length;
}

int print(FILE* stream, int checks, const char* format, va_list arguments, const void* site) {
  return on_stream(
      stream, true, site, [] { return false; },
      [&] {
        return checks < 0 ? real::vfprintf(stream, format, arguments)
                          : real::__vfprintf_chk(stream, checks, format, arguments);
      },
      [&](const StreamCall& call) {
        return with_printed(
            [&](char* to, std::size_t room) {
              return print_to(to, room, checks, format, arguments);
            },
            [&](const char* text, std::size_t size) {
              return emit(call, text, size) == size ? static_cast<int>(size) : -1;
            });
      });
}

int print_on(int descriptor, int checks, const char* format, va_list arguments, const void* site) {
  Thread* self = controlled_thread();
  if (!self || !waits_on(descriptor)) {
    return checks < 0 ? real::vdprintf(descriptor, format, arguments)
                      : real::__vdprintf_chk(descriptor, checks, format, arguments);
  }
  return with_printed(
      [&](char* to, std::size_t room) { return print_to(to, room, checks, format, arguments); },
      [&](const char* text, std::size_t size) {
        const long written = write_all(*self, descriptor, text, size, site);
        if (written >= 0) return static_cast<int>(written);
        errno = static_cast<int>(-written);
        return -1;
      });
}

constexpr int kPlain = -1;

}  // namespace

}  // namespace unravel

using namespace unravel;

// --- Characters ----------------------------------------------------------------------------------

UNRAVEL_EXPORT int putc(int character, FILE* stream) {
  return write_character(character, stream, true, UNRAVEL_SITE,
                         [&] { return real::putc(character, stream); });
}
UNRAVEL_ALIAS(_IO_putc, putc);

UNRAVEL_EXPORT int fputc(int character, FILE* stream) {
  return write_character(character, stream, true, UNRAVEL_SITE,
                         [&] { return real::fputc(character, stream); });
}

UNRAVEL_EXPORT int putchar(int character) {
  return write_character(character, stdout, true, UNRAVEL_SITE,
                         [&] { return real::putchar(character); });
}

UNRAVEL_EXPORT int putc_unlocked(int character, FILE* stream) {
  return write_character(character, stream, false, UNRAVEL_SITE,
                         [&] { return real::putc_unlocked(character, stream); });
}

UNRAVEL_EXPORT int fputc_unlocked(int character, FILE* stream) {
  return write_character(character, stream, false, UNRAVEL_SITE,
                         [&] { return real::fputc_unlocked(character, stream); });
}

UNRAVEL_EXPORT int putchar_unlocked(int character) {
  return write_character(character, stdout, false, UNRAVEL_SITE,
                         [&] { return real::putchar_unlocked(character); });
}

// putc_unlocked is inlined into the program; it calls this when the buffer is full.
UNRAVEL_EXPORT int __overflow(FILE* stream, int character) {
  const auto plain = [&] { return real::__overflow(stream, character); };
  if (character == EOF) {
    prepare(stream, 0, UNRAVEL_SITE);
    return plain();
  }
  return write_character(character, stream, false, UNRAVEL_SITE, plain);
}

UNRAVEL_EXPORT int putw(int word, FILE* stream) {
  return fwrite(&word, sizeof(word), 1, stream) == 1 ? 0 : EOF;
}

// --- Text and blocks -----------------------------------------------------------------------------

UNRAVEL_EXPORT int puts(const char* text) {
  const std::size_t size = std::strlen(text);
  return on_stream(
      stdout, true, UNRAVEL_SITE, [&] { return has_room(stdout, size + 1); },
      [&] { return real::puts(text); },
      [&](const StreamCall& call) {
        const bool done = emit(call, text, size) == size && emit(call, "\n", 1) == 1;
        return done ? static_cast<int>(size + 1) : EOF;
      });
}
UNRAVEL_ALIAS(_IO_puts, puts);

UNRAVEL_EXPORT int fputs(const char* text, FILE* stream) {
  return write_text(text, stream, true, UNRAVEL_SITE, [&] { return real::fputs(text, stream); });
}
UNRAVEL_ALIAS(_IO_fputs, fputs);

UNRAVEL_EXPORT int fputs_unlocked(const char* text, FILE* stream) {
  return write_text(text, stream, false, UNRAVEL_SITE,
                    [&] { return real::fputs_unlocked(text, stream); });
}

UNRAVEL_EXPORT std::size_t fwrite(const void* items, std::size_t size, std::size_t count,
                                  FILE* stream) {
  return write_items(items, size, count, stream, true, UNRAVEL_SITE,
                     [&] { return real::fwrite(items, size, count, stream); });
}
UNRAVEL_ALIAS(_IO_fwrite, fwrite);

UNRAVEL_EXPORT std::size_t fwrite_unlocked(const void* items, std::size_t size, std::size_t count,
                                           FILE* stream) {
  return write_items(items, size, count, stream, false, UNRAVEL_SITE,
                     [&] { return real::fwrite_unlocked(items, size, count, stream); });
}

// --- Formatted -----------------------------------------------------------------------------------

#define PRINTED(call, last)  \
  va_list arguments;         \
  va_start(arguments, last); \
  const int written = call;  \
  va_end(arguments);         \
  return written

UNRAVEL_EXPORT int vfprintf(FILE* stream, const char* format, va_list arguments) {
  return print(stream, kPlain, format, arguments, UNRAVEL_SITE);
}
UNRAVEL_ALIAS(_IO_vfprintf, vfprintf);

UNRAVEL_EXPORT int vprintf(const char* format, va_list arguments) {
  return print(stdout, kPlain, format, arguments, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int fprintf(FILE* stream, const char* format, ...) {
  PRINTED(print(stream, kPlain, format, arguments, UNRAVEL_SITE), format);
}
UNRAVEL_ALIAS(_IO_fprintf, fprintf);

UNRAVEL_EXPORT int printf(const char* format, ...) {
  PRINTED(print(stdout, kPlain, format, arguments, UNRAVEL_SITE), format);
}
UNRAVEL_ALIAS(_IO_printf, printf);

UNRAVEL_EXPORT int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments) {
  return print(stream, flag, format, arguments, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int __vprintf_chk(int flag, const char* format, va_list arguments) {
  return print(stdout, flag, format, arguments, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int __fprintf_chk(FILE* stream, int flag, const char* format, ...) {
  PRINTED(print(stream, flag, format, arguments, UNRAVEL_SITE), format);
}

UNRAVEL_EXPORT int __printf_chk(int flag, const char* format, ...) {
  PRINTED(print(stdout, flag, format, arguments, UNRAVEL_SITE), format);
}

UNRAVEL_EXPORT int vdprintf(int descriptor, const char* format, va_list arguments) {
  return print_on(descriptor, kPlain, format, arguments, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int dprintf(int descriptor, const char* format, ...) {
  PRINTED(print_on(descriptor, kPlain, format, arguments, UNRAVEL_SITE), format);
}

UNRAVEL_EXPORT int __vdprintf_chk(int descriptor, int flag, const char* format, va_list arguments) {
  return print_on(descriptor, flag, format, arguments, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  PRINTED(print_on(descriptor, flag, format, arguments, UNRAVEL_SITE), format);
}
