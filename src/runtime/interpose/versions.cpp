/// Functions of which libc has several versions. A program built for ThreadSanitizer asks for them
/// without a version, since libtsan has only one; libc would give it the oldest, or none.
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/os/real.hpp"
#include "runtime/process/runtime.hpp"

using namespace unravel;

UNRAVEL_EXPORT char* realpath(const char* path, char* resolved) noexcept {
  return real::realpath(path, resolved);
}

UNRAVEL_EXPORT int regexec(const regex_t* pattern, const char* text, std::size_t count,
                           regmatch_t* matches, int flags) {
  return real::regexec(pattern, text, count, matches, flags);
}

UNRAVEL_EXPORT int glob(const char* pattern, int flags, int (*on_error)(const char*, int),
                        glob_t* found) noexcept {
  return real::glob(pattern, flags, on_error, found);
}

UNRAVEL_EXPORT int glob64(const char* pattern, int flags, int (*on_error)(const char*, int),
                          glob64_t* found) noexcept {
  return real::glob64(pattern, flags, on_error, found);
}

UNRAVEL_EXPORT FILE* fmemopen(void* bytes, std::size_t size, const char* mode) noexcept {
  return real::fmemopen(bytes, size, mode);
}

UNRAVEL_EXPORT int pthread_attr_getaffinity_np(const pthread_attr_t* attributes, std::size_t size,
                                               cpu_set_t* set) noexcept {
  return real::pthread_attr_getaffinity_np(attributes, size, set);
}

extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* module);

/// libc links atexit into each program, unless a library defines it, as libtsan does. Like there,
/// the calling module is not known: handlers that a library registers run at exit, not when it is
/// unloaded.
UNRAVEL_EXPORT int atexit(void (*handler)()) noexcept {
  const auto call = [](void* registered) { reinterpret_cast<void (*)()>(registered)(); };
  return __cxa_atexit(call, reinterpret_cast<void*>(handler), nullptr);
}
