/// mem* and str*: libc's functions, and plain ones of our own.
///
/// The program finds our functions in libc's place, so the runtime must not call them by name.
/// Compilers do call them, for example to copy a struct; the linker redirects these calls to the
/// plain ones (--wrap). The plain ones also serve the program until libc's are looked up: a
/// resolver of some library may call memcpy before we are relocated, when only code and zeroed
/// memory can be used.
#pragma once

#include <cstddef>

namespace unravel::plain {
#define UNRAVEL_STRING(result, name, ...) \
  [[gnu::visibility("hidden")]] result name(__VA_ARGS__) __asm__("__wrap_" #name)
#include "runtime/os/string_functions.inc"
#undef UNRAVEL_STRING
}  // namespace unravel::plain

namespace unravel::real {
#define UNRAVEL_STRING(result, name, ...) inline constinit decltype(&plain::name) name = nullptr
#include "runtime/os/string_functions.inc"
#undef UNRAVEL_STRING

/// Looks up libc's functions. Until then they are null.
void resolve_strings();
}  // namespace unravel::real
