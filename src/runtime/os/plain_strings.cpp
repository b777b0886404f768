/// mem* and str* as plain loops, for the runtime itself and for a program that has just started.
///
/// They are built with -fno-builtin: otherwise the compiler would turn the loop in memcpy into a
/// call of memcpy.
#include "runtime/os/string_functions.hpp"

namespace unravel::plain {

namespace {

using Byte = unsigned char;

Byte lower(char character) {
  const auto byte = static_cast<Byte>(character);
  return byte >= 'A' && byte <= 'Z' ? static_cast<Byte>(byte - 'A' + 'a') : byte;
}
Byte same(char character) { return static_cast<Byte>(character); }

template <class Fold>
int compare(const char* one, const char* other, std::size_t size, Fold fold) {
  for (std::size_t i = 0; i < size; ++i) {
    const int difference = fold(one[i]) - fold(other[i]);
    if (difference != 0 || one[i] == '\0') return difference;
  }
  return 0;
}

constexpr std::size_t kAny = ~std::size_t{0};

template <class Fold>
char* find(const char* in, const char* what, Fold fold) {
  const std::size_t size = strlen(what);
  for (;; ++in) {
    if (compare(in, what, size, fold) == 0) return const_cast<char*>(in);
    if (*in == '\0') return nullptr;
  }
}

bool is_among(char character, const char* set) {
  for (; *set; ++set) {
    if (*set == character) return true;
  }
  return false;
}

/// The check of a fortified program. libc's own message is not available yet.
void require(bool fits) {
  if (!fits) __builtin_trap();
}

}  // namespace

// --- Bytes ---

void* memcpy(void* to, const void* from, std::size_t size) {
  void* at = to;
  __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(size) : : "memory");
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  auto* target = static_cast<Byte*>(to);
  const auto* source = static_cast<const Byte*>(from);
  if (target <= source || target >= source + size) return memcpy(to, from, size);
  while (size-- > 0) target[size] = source[size];
  return to;
}

void* mempcpy(void* to, const void* from, std::size_t size) {
  return static_cast<Byte*>(memcpy(to, from, size)) + size;
}

void* memset(void* to, int byte, std::size_t size) {
  void* at = to;
  __asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(byte) : "memory");
  return to;
}

void bcopy(const void* from, void* to, std::size_t size) { memmove(to, from, size); }
void bzero(void* to, std::size_t size) { memset(to, 0, size); }

int memcmp(const void* one, const void* other, std::size_t size) {
  const auto* left = static_cast<const Byte*>(one);
  const auto* right = static_cast<const Byte*>(other);
  for (std::size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}
int bcmp(const void* one, const void* other, std::size_t size) { return memcmp(one, other, size); }

void* memchr(const void* in, int byte, std::size_t size) {
  const auto* at = static_cast<const Byte*>(in);
  for (std::size_t i = 0; i < size; ++i) {
    if (at[i] == static_cast<Byte>(byte)) return const_cast<Byte*>(at + i);
  }
  return nullptr;
}

void* memrchr(const void* in, int byte, std::size_t size) {
  const auto* at = static_cast<const Byte*>(in);
  while (size-- > 0) {
    if (at[size] == static_cast<Byte>(byte)) return const_cast<Byte*>(at + size);
  }
  return nullptr;
}

void* memmem(const void* in, std::size_t size, const void* what, std::size_t what_size) {
  const auto* at = static_cast<const Byte*>(in);
  for (; size >= what_size; ++at, --size) {
    if (memcmp(at, what, what_size) == 0) return const_cast<Byte*>(at);
  }
  return nullptr;
}

// --- Strings ---

std::size_t strlen(const char* text) { return strnlen(text, kAny); }

std::size_t strnlen(const char* text, std::size_t most) {
  std::size_t length = 0;
  while (length < most && text[length] != '\0') ++length;
  return length;
}

char* stpcpy(char* to, const char* from) {
  const std::size_t length = strlen(from);
  memcpy(to, from, length + 1);
  return to + length;
}
char* strcpy(char* to, const char* from) {
  stpcpy(to, from);
  return to;
}

char* stpncpy(char* to, const char* from, std::size_t size) {
  const std::size_t length = strnlen(from, size);
  memcpy(to, from, length);
  memset(to + length, 0, size - length);
  return to + length;
}
char* strncpy(char* to, const char* from, std::size_t size) {
  stpncpy(to, from, size);
  return to;
}

char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}

char* strncat(char* to, const char* from, std::size_t size) {
  char* end = to + strlen(to);
  const std::size_t length = strnlen(from, size);
  memcpy(end, from, length);
  end[length] = '\0';
  return to;
}

int strcmp(const char* one, const char* other) { return compare(one, other, kAny, same); }
int strncmp(const char* one, const char* other, std::size_t size) {
  return compare(one, other, size, same);
}
int strcasecmp(const char* one, const char* other) { return compare(one, other, kAny, lower); }
int strncasecmp(const char* one, const char* other, std::size_t size) {
  return compare(one, other, size, lower);
}

char* strchrnul(const char* in, int what) {
  while (*in != '\0' && *in != static_cast<char>(what)) ++in;
  return const_cast<char*>(in);
}
char* strchr(const char* in, int what) {
  char* found = strchrnul(in, what);
  return *found == static_cast<char>(what) ? found : nullptr;
}
char* strrchr(const char* in, int what) {
  return static_cast<char*>(memrchr(in, what, strlen(in) + 1));
}

char* strstr(const char* in, const char* what) { return find(in, what, same); }
char* strcasestr(const char* in, const char* what) { return find(in, what, lower); }

std::size_t strspn(const char* text, const char* set) {
  std::size_t length = 0;
  while (text[length] != '\0' && is_among(text[length], set)) ++length;
  return length;
}
std::size_t strcspn(const char* text, const char* set) {
  std::size_t length = 0;
  while (text[length] != '\0' && !is_among(text[length], set)) ++length;
  return length;
}
char* strpbrk(const char* text, const char* set) {
  const char* at = text + strcspn(text, set);
  return *at != '\0' ? const_cast<char*>(at) : nullptr;
}

// --- The variants that fortified programs call ---

void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  require(size <= room);
  return memcpy(to, from, size);
}
void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  require(size <= room);
  return memmove(to, from, size);
}
void* __mempcpy_chk(void* to, const void* from, std::size_t size, std::size_t room) {
  require(size <= room);
  return mempcpy(to, from, size);
}
void* __memset_chk(void* to, int byte, std::size_t size, std::size_t room) {
  require(size <= room);
  return memset(to, byte, size);
}
char* __strcpy_chk(char* to, const char* from, std::size_t room) {
  require(strlen(from) < room);
  return strcpy(to, from);
}
char* __strncpy_chk(char* to, const char* from, std::size_t size, std::size_t room) {
  require(size <= room);
  return strncpy(to, from, size);
}
char* __stpcpy_chk(char* to, const char* from, std::size_t room) {
  require(strlen(from) < room);
  return stpcpy(to, from);
}
char* __stpncpy_chk(char* to, const char* from, std::size_t size, std::size_t room) {
  require(size <= room);
  return stpncpy(to, from, size);
}
char* __strcat_chk(char* to, const char* from, std::size_t room) {
  require(strlen(to) + strlen(from) < room);
  return strcat(to, from);
}
char* __strncat_chk(char* to, const char* from, std::size_t size, std::size_t room) {
  require(strlen(to) + strnlen(from, size) < room);
  return strncat(to, from, size);
}

}  // namespace unravel::plain
