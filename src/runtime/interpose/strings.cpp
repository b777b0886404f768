/// mem* and str*. They have no hooks inside. If the caller's accesses count, hooks for what they
/// read and write come before the call; no switch happens inside.
#include <cstddef>

#include "runtime/interpose/callers.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/string_functions.hpp"

namespace unravel {

namespace {

// Most have the parameters (to, from, size) or (text, ..., size), or no size.
constexpr Accesses kCopySize{.load = 1, .store = 0, .size = 2};
constexpr Accesses kLoadSize{.load = 0, .size = 2};
constexpr Accesses kStoreSize{.store = 0, .size = 2};
constexpr Accesses kCopyText{.load = 1, .store = 0, .extent = Extent::kText};
constexpr Accesses kCopyTextSize{.load = 1, .store = 0, .size = 2, .extent = Extent::kText};
constexpr Accesses kAppend{.load = 1, .store = 0, .extent = Extent::kText, .appends = true};
constexpr Accesses kAppendSize{
    .load = 1, .store = 0, .size = 2, .extent = Extent::kText, .appends = true};
constexpr Accesses kLoadText{.load = 0, .extent = Extent::kText};
constexpr Accesses kLoadTexts{.load = 0, .other_load = 1, .extent = Extent::kText};
constexpr Accesses kCompare{.load = 0, .other_load = 1, .extent = Extent::kEqual};
constexpr Accesses kCompareSize{.load = 0, .other_load = 1, .size = 2, .extent = Extent::kEqual};

}  // namespace

// Other names in C++, because the headers have overloads of some of these.
#define UNRAVEL_STRING(result, name, ...) \
  UNRAVEL_EXPORT result string_##name(__VA_ARGS__) noexcept __asm__(#name)
#include "runtime/os/string_functions.inc"
#undef UNRAVEL_STRING

/// The function that makes the accesses: libc's, or ours until that is known.
#define REAL(name) real::name, plain::name

// --- Bytes ---

/// Calls the real memmove: an old program may use the memcpy that allowed overlapping.
void* string_memcpy(void* to, const void* from, std::size_t size) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(memmove), to, from, size);
}
void* string_memmove(void* to, const void* from, std::size_t size) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(memmove), to, from, size);
}
void* string_mempcpy(void* to, const void* from, std::size_t size) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(mempcpy), to, from, size);
}
void* string_memset(void* to, int byte, std::size_t size) noexcept {
  return tell_first<kStoreSize>(UNRAVEL_HOOK_SITE, REAL(memset), to, byte, size);
}
void string_bcopy(const void* from, void* to, std::size_t size) noexcept {
  return tell_first<Accesses{.load = 0, .store = 1, .size = 2}>(UNRAVEL_HOOK_SITE, REAL(bcopy),
                                                                from, to, size);
}
void string_bzero(void* to, std::size_t size) noexcept {
  return tell_first<Accesses{.store = 0, .size = 1}>(UNRAVEL_HOOK_SITE, REAL(bzero), to, size);
}
int string_memcmp(const void* one, const void* other, std::size_t size) noexcept {
  return tell_first<kCompareSize>(UNRAVEL_HOOK_SITE, REAL(memcmp), one, other, size);
}
int string_bcmp(const void* one, const void* other, std::size_t size) noexcept {
  return tell_first<kCompareSize>(UNRAVEL_HOOK_SITE, REAL(bcmp), one, other, size);
}
void* string_memchr(const void* in, int byte, std::size_t size) noexcept {
  return tell_first<kLoadSize>(UNRAVEL_HOOK_SITE, REAL(memchr), in, byte, size);
}
void* string_memrchr(const void* in, int byte, std::size_t size) noexcept {
  return tell_first<kLoadSize>(UNRAVEL_HOOK_SITE, REAL(memrchr), in, byte, size);
}
void* string_memmem(const void* in, std::size_t size, const void* what,
                    std::size_t what_size) noexcept {
  return tell_first<Accesses{.load = 0, .other_load = 2, .size = 1}>(
      UNRAVEL_HOOK_SITE, REAL(memmem), in, size, what, what_size);
}

// --- Strings ---

char* string_strcpy(char* to, const char* from) noexcept {
  return tell_first<kCopyText>(UNRAVEL_HOOK_SITE, REAL(strcpy), to, from);
}
char* string_strncpy(char* to, const char* from, std::size_t size) noexcept {
  return tell_first<kCopyTextSize>(UNRAVEL_HOOK_SITE, REAL(strncpy), to, from, size);
}
char* string_stpcpy(char* to, const char* from) noexcept {
  return tell_first<kCopyText>(UNRAVEL_HOOK_SITE, REAL(stpcpy), to, from);
}
char* string_stpncpy(char* to, const char* from, std::size_t size) noexcept {
  return tell_first<kCopyTextSize>(UNRAVEL_HOOK_SITE, REAL(stpncpy), to, from, size);
}
char* string_strcat(char* to, const char* from) noexcept {
  return tell_first<kAppend>(UNRAVEL_HOOK_SITE, REAL(strcat), to, from);
}
char* string_strncat(char* to, const char* from, std::size_t size) noexcept {
  return tell_first<kAppendSize>(UNRAVEL_HOOK_SITE, REAL(strncat), to, from, size);
}
std::size_t string_strlen(const char* text) noexcept {
  return tell_first<kLoadText>(UNRAVEL_HOOK_SITE, REAL(strlen), text);
}
std::size_t string_strnlen(const char* text, std::size_t most) noexcept {
  return tell_first<Accesses{.load = 0, .size = 1, .extent = Extent::kText}>(
      UNRAVEL_HOOK_SITE, REAL(strnlen), text, most);
}
int string_strcmp(const char* one, const char* other) noexcept {
  return tell_first<kCompare>(UNRAVEL_HOOK_SITE, REAL(strcmp), one, other);
}
int string_strncmp(const char* one, const char* other, std::size_t size) noexcept {
  return tell_first<kCompareSize>(UNRAVEL_HOOK_SITE, REAL(strncmp), one, other, size);
}
int string_strcasecmp(const char* one, const char* other) noexcept {
  return tell_first<kCompare>(UNRAVEL_HOOK_SITE, REAL(strcasecmp), one, other);
}
int string_strncasecmp(const char* one, const char* other, std::size_t size) noexcept {
  return tell_first<kCompareSize>(UNRAVEL_HOOK_SITE, REAL(strncasecmp), one, other, size);
}
char* string_strchr(const char* in, int what) noexcept {
  return tell_first<kLoadText>(UNRAVEL_HOOK_SITE, REAL(strchr), in, what);
}
char* string_strchrnul(const char* in, int what) noexcept {
  return tell_first<kLoadText>(UNRAVEL_HOOK_SITE, REAL(strchrnul), in, what);
}
char* string_strrchr(const char* in, int what) noexcept {
  return tell_first<kLoadText>(UNRAVEL_HOOK_SITE, REAL(strrchr), in, what);
}
char* string_strstr(const char* in, const char* what) noexcept {
  return tell_first<kLoadTexts>(UNRAVEL_HOOK_SITE, REAL(strstr), in, what);
}
char* string_strcasestr(const char* in, const char* what) noexcept {
  return tell_first<kLoadTexts>(UNRAVEL_HOOK_SITE, REAL(strcasestr), in, what);
}
std::size_t string_strspn(const char* text, const char* set) noexcept {
  return tell_first<kLoadTexts>(UNRAVEL_HOOK_SITE, REAL(strspn), text, set);
}
std::size_t string_strcspn(const char* text, const char* set) noexcept {
  return tell_first<kLoadTexts>(UNRAVEL_HOOK_SITE, REAL(strcspn), text, set);
}
char* string_strpbrk(const char* text, const char* set) noexcept {
  return tell_first<kLoadTexts>(UNRAVEL_HOOK_SITE, REAL(strpbrk), text, set);
}

// --- The variants that newer compilers call in instrumented code ---

UNRAVEL_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(memmove), to, from, size);
}
UNRAVEL_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(memmove), to, from, size);
}
UNRAVEL_EXPORT void* __tsan_memset(void* to, int byte, std::size_t size) {
  return tell_first<kStoreSize>(UNRAVEL_HOOK_SITE, REAL(memset), to, byte, size);
}

// --- The variants of fortified programs: libc's end the program if there is no room ---

void* string___memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(__memcpy_chk), to, from, size, room);
}
void* string___memmove_chk(void* to, const void* from, std::size_t size,
                           std::size_t room) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(__memmove_chk), to, from, size, room);
}
void* string___mempcpy_chk(void* to, const void* from, std::size_t size,
                           std::size_t room) noexcept {
  return tell_first<kCopySize>(UNRAVEL_HOOK_SITE, REAL(__mempcpy_chk), to, from, size, room);
}
void* string___memset_chk(void* to, int byte, std::size_t size, std::size_t room) noexcept {
  return tell_first<kStoreSize>(UNRAVEL_HOOK_SITE, REAL(__memset_chk), to, byte, size, room);
}
char* string___strcpy_chk(char* to, const char* from, std::size_t room) noexcept {
  return tell_first<kCopyText>(UNRAVEL_HOOK_SITE, REAL(__strcpy_chk), to, from, room);
}
char* string___strncpy_chk(char* to, const char* from, std::size_t size,
                           std::size_t room) noexcept {
  return tell_first<kCopyTextSize>(UNRAVEL_HOOK_SITE, REAL(__strncpy_chk), to, from, size, room);
}
char* string___stpcpy_chk(char* to, const char* from, std::size_t room) noexcept {
  return tell_first<kCopyText>(UNRAVEL_HOOK_SITE, REAL(__stpcpy_chk), to, from, room);
}
char* string___stpncpy_chk(char* to, const char* from, std::size_t size,
                           std::size_t room) noexcept {
  return tell_first<kCopyTextSize>(UNRAVEL_HOOK_SITE, REAL(__stpncpy_chk), to, from, size, room);
}
char* string___strcat_chk(char* to, const char* from, std::size_t room) noexcept {
  return tell_first<kAppend>(UNRAVEL_HOOK_SITE, REAL(__strcat_chk), to, from, room);
}
char* string___strncat_chk(char* to, const char* from, std::size_t size,
                           std::size_t room) noexcept {
  return tell_first<kAppendSize>(UNRAVEL_HOOK_SITE, REAL(__strncat_chk), to, from, size, room);
}

}  // namespace unravel
