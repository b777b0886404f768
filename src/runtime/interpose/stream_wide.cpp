/// Wide characters. libc converts them in buffers of its own, so it reads and writes itself. Before
/// that, we wait until there is something to read, or room to write. It may still wait inside libc:
/// for a character or a line that comes in two portions, or for more text than a pipe has room for.
#define __NO_INLINE__ 1

#include <stdio.h>
#include <wchar.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"

using namespace unravel;

#define READS(type, name, parameters, arguments, stream) \
  UNRAVEL_EXPORT type name parameters {                  \
    prepare(stream, POLLIN, UNRAVEL_SITE);               \
    return real::name arguments;                         \
  }
#define WRITES(type, name, parameters, arguments, stream) \
  UNRAVEL_EXPORT type name parameters {                   \
    prepare(stream, POLLOUT, UNRAVEL_SITE);               \
    return real::name arguments;                          \
  }

READS(wint_t, fgetwc, (FILE * stream), (stream), stream)
READS(wint_t, getwc, (FILE * stream), (stream), stream)
READS(wint_t, fgetwc_unlocked, (FILE * stream), (stream), stream)
READS(wint_t, getwc_unlocked, (FILE * stream), (stream), stream)
READS(wint_t, getwchar, (), (), stdin)
READS(wint_t, getwchar_unlocked, (), (), stdin)
READS(wchar_t*, fgetws, (wchar_t * text, int size, FILE* stream), (text, size, stream), stream)
READS(wchar_t*, fgetws_unlocked, (wchar_t * text, int size, FILE* stream), (text, size, stream),
      stream)
READS(wchar_t*, __fgetws_chk, (wchar_t * text, std::size_t room, int size, FILE* stream),
      (text, room, size, stream), stream)
READS(wchar_t*, __fgetws_unlocked_chk, (wchar_t * text, std::size_t room, int size, FILE* stream),
      (text, room, size, stream), stream)
WRITES(wint_t, fputwc, (wchar_t character, FILE* stream), (character, stream), stream)
WRITES(wint_t, putwc, (wchar_t character, FILE* stream), (character, stream), stream)
WRITES(wint_t, fputwc_unlocked, (wchar_t character, FILE* stream), (character, stream), stream)
WRITES(wint_t, putwc_unlocked, (wchar_t character, FILE* stream), (character, stream), stream)
WRITES(wint_t, putwchar, (wchar_t character), (character), stdout)
WRITES(wint_t, putwchar_unlocked, (wchar_t character), (character), stdout)
WRITES(int, fputws, (const wchar_t* text, FILE* stream), (text, stream), stream)
WRITES(int, fputws_unlocked, (const wchar_t* text, FILE* stream), (text, stream), stream)

UNRAVEL_EXPORT wint_t ungetwc(wint_t character, FILE* stream) {
  prepare(stream, 0, UNRAVEL_SITE);
  return real::ungetwc(character, stream);
}

UNRAVEL_EXPORT int fwide(FILE* stream, int mode) noexcept {
  await_stream(stream, UNRAVEL_SITE);
  return real::fwide(stream, mode);
}

// --- Formatted -----------------------------------------------------------------------------------

#define WITH_LIST(call, last) \
  va_list arguments;          \
  va_start(arguments, last);  \
  const int result = call;    \
  va_end(arguments);          \
  return result

namespace unravel {
namespace {

int print_wide(FILE* stream, int checks, const wchar_t* format, va_list arguments,
               const void* site) {
  prepare(stream, POLLOUT, site);
  return checks < 0 ? real::vfwprintf(stream, format, arguments)
                    : real::__vfwprintf_chk(stream, checks, format, arguments);
}

using Scan = int (*)(FILE*, const wchar_t*, va_list);

int scan_wide(Scan scan, FILE* stream, const wchar_t* format, va_list arguments, const void* site) {
  prepare(stream, POLLIN, site);
  return scan(stream, format, arguments);
}

constexpr int kPlain = -1;

}  // namespace
}  // namespace unravel

UNRAVEL_EXPORT int vfwprintf(FILE* stream, const wchar_t* format, va_list arguments) {
  return print_wide(stream, kPlain, format, arguments, UNRAVEL_SITE);
}
UNRAVEL_EXPORT int vwprintf(const wchar_t* format, va_list arguments) {
  return print_wide(stdout, kPlain, format, arguments, UNRAVEL_SITE);
}
UNRAVEL_EXPORT int fwprintf(FILE* stream, const wchar_t* format, ...) {
  WITH_LIST(print_wide(stream, kPlain, format, arguments, UNRAVEL_SITE), format);
}
UNRAVEL_EXPORT int wprintf(const wchar_t* format, ...) {
  WITH_LIST(print_wide(stdout, kPlain, format, arguments, UNRAVEL_SITE), format);
}
UNRAVEL_EXPORT int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format,
                                   va_list arguments) {
  return print_wide(stream, flag, format, arguments, UNRAVEL_SITE);
}
UNRAVEL_EXPORT int __vwprintf_chk(int flag, const wchar_t* format, va_list arguments) {
  return print_wide(stdout, flag, format, arguments, UNRAVEL_SITE);
}
UNRAVEL_EXPORT int __fwprintf_chk(FILE* stream, int flag, const wchar_t* format, ...) {
  WITH_LIST(print_wide(stream, flag, format, arguments, UNRAVEL_SITE), format);
}
UNRAVEL_EXPORT int __wprintf_chk(int flag, const wchar_t* format, ...) {
  WITH_LIST(print_wide(stdout, flag, format, arguments, UNRAVEL_SITE), format);
}

// The header maps the plain names to those of C99; older programs call other names.
#define SCAN_FAMILY(of_list, of_stdin_list, of_stream, of_stdin, real_scan)            \
  UNRAVEL_EXPORT int of_list(FILE* stream, const wchar_t* format, va_list arguments) { \
    return scan_wide(real_scan, stream, format, arguments, UNRAVEL_SITE);              \
  }                                                                                    \
  UNRAVEL_EXPORT int of_stdin_list(const wchar_t* format, va_list arguments) {         \
    return scan_wide(real_scan, stdin, format, arguments, UNRAVEL_SITE);               \
  }                                                                                    \
  UNRAVEL_EXPORT int of_stream(FILE* stream, const wchar_t* format, ...) {             \
    WITH_LIST(scan_wide(real_scan, stream, format, arguments, UNRAVEL_SITE), format);  \
  }                                                                                    \
  UNRAVEL_EXPORT int of_stdin(const wchar_t* format, ...) {                            \
    WITH_LIST(scan_wide(real_scan, stdin, format, arguments, UNRAVEL_SITE), format);   \
  }

SCAN_FAMILY(__isoc99_vfwscanf, __isoc99_vwscanf, __isoc99_fwscanf, __isoc99_wscanf,
            real::__isoc99_vfwscanf.get())

UNRAVEL_EXPORT int old_vfwscanf(FILE*, const wchar_t*, va_list) asm("vfwscanf");
UNRAVEL_EXPORT int old_vwscanf(const wchar_t*, va_list) asm("vwscanf");
UNRAVEL_EXPORT int old_fwscanf(FILE*, const wchar_t*, ...) asm("fwscanf");
UNRAVEL_EXPORT int old_wscanf(const wchar_t*, ...) asm("wscanf");
SCAN_FAMILY(old_vfwscanf, old_vwscanf, old_fwscanf, old_wscanf, real::vfwscanf.get())
