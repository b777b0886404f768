/// mem* and str*: libc's, and plain ones of our own.
///
/// The program finds ours in libc's place, so the runtime must not call them by their names:
/// compilers do, wherever a struct is copied. The linker sends every such call to the plain ones
/// (--wrap). These also serve the program until libc's have been looked up: a resolver of some
/// library may call memcpy before we are relocated, when nothing but code and zeroes can be used.
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

/// Looks libc's up. Until then they are null.
void resolve_strings();
}  // namespace unravel::real
