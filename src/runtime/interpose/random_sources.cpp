/// Sources of randomness give the same bytes in every run.
///
/// An opened random device is a file in memory, with the first mebibyte of a stream of its own, so
/// reads inside libc get these bytes, too. They are the same for every seed of a schedule: only the
/// schedule makes runs differ.
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/fifo.hpp"
#include "runtime/interpose/files.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

// A seed takes tens of bytes, key material a few thousand. Chosen by hand.
constexpr std::size_t kDeviceSize = 1024 * 1024;

bool is_random_device(const char* path) {
  return std::strcmp(path, "/dev/urandom") == 0 || std::strcmp(path, "/dev/random") == 0;
}

/// Returns a descriptor, or -1 with errno.
int open_device(Thread& self, int flags) {
  ErrnoKeeper keeper;
  scheduler().hook(self);
  const long descriptor =
      os::call(SYS_memfd_create, os::as_argument("random"), (flags & O_CLOEXEC) ? MFD_CLOEXEC : 0);
  if (descriptor < 0) return keeper.fail(static_cast<int>(-descriptor));
  Randomness bytes(runtime().randomness().next());
  unsigned char block[4096];
  for (std::size_t at = 0; at < kDeviceSize; at += sizeof(block)) {
    bytes.fill(block, sizeof(block));
    os::call(SYS_pwrite64, descriptor, os::as_argument(block), sizeof(block),
             static_cast<long>(at));
  }
  return static_cast<int>(descriptor);
}

template <class RealOpen>
int open_either(int directory, const char* path, int flags, mode_t mode, const void* site,
                RealOpen real_open) {
  Thread* self = controlled_thread();
  if (!self || !path) return pass_through(site, real_open);
  cancellation_point(*self);
  if (is_random_device(path)) return open_device(*self, flags);
  ErrnoKeeper keeper;
  const long fifo = open_fifo(*self, directory, path, flags, mode, site);
  if (fifo != kNoFifo) return static_cast<int>(keeper.answer(fifo));
  const int opened = real_open();
  if (opened >= 0 && changes_file(flags)) record_opened(opened, directory, path);
  return opened < 0 ? keeper.fail(errno) : opened;
}

FILE* open_stream(const char* path, const char* mode, const void* site,
                  FILE* (*real_open)(const char*, const char*)) {
  Thread* self = controlled_thread();
  if (!self || !path || !mode) return pass_through(site, real_open, path, mode);
  if (is_random_device(path)) {
    const int descriptor = open_device(*self, std::strchr(mode, 'e') ? O_CLOEXEC : 0);
    return descriptor < 0 ? nullptr : fdopen(descriptor, mode);
  }
  constexpr mode_t kAll = 0666;
  const long fifo = open_fifo(*self, AT_FDCWD, path, flags_of_mode(mode), kAll, site);
  if (fifo >= 0) return fdopen(static_cast<int>(fifo), mode);
  if (fifo != kNoFifo) {
    errno = static_cast<int>(-fifo);
    return nullptr;
  }
  FILE* opened = real_open(path, mode);
  if (opened && changes_file(mode)) record_opened(fileno(opened), AT_FDCWD, path);
  return opened;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT ssize_t getrandom(void* bytes, std::size_t size, unsigned flags) {
  Thread* self = controlled_thread();
  constexpr unsigned kKnownFlags = GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE;
  if (!self || (flags & ~kKnownFlags))
    return pass_through(UNRAVEL_SITE, real::getrandom, bytes, size, flags);
  scheduler().hook(*self);
  runtime().randomness().fill(bytes, size);
  return static_cast<ssize_t>(size);
}

UNRAVEL_EXPORT int getentropy(void* bytes, std::size_t size) {
  Thread* self = controlled_thread();
  constexpr std::size_t kMost = 256;
  if (!self || size > kMost) return pass_through(UNRAVEL_SITE, real::getentropy, bytes, size);
  scheduler().hook(*self);
  runtime().randomness().fill(bytes, size);
  return 0;
}

UNRAVEL_EXPORT std::uint32_t arc4random() noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::arc4random);
  scheduler().hook(*self);
  return static_cast<std::uint32_t>(runtime().randomness().next());
}

UNRAVEL_EXPORT void arc4random_buf(void* bytes, std::size_t size) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::arc4random_buf, bytes, size);
  scheduler().hook(*self);
  runtime().randomness().fill(bytes, size);
}

UNRAVEL_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::arc4random_uniform, bound);
  scheduler().hook(*self);
  const std::uint64_t drawn = runtime().randomness().next();
  return bound ? static_cast<std::uint32_t>(drawn % bound) : 0;
}

/// std::random_device::_M_getval(): it uses an instruction of the processor, which we cannot
/// interpose.
UNRAVEL_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  using GetValue = unsigned (*)(void*);
  static GetValue next = nullptr;
  if (Thread* self = controlled_thread()) {
    scheduler().hook(*self);
    return static_cast<unsigned>(runtime().randomness().next());
  }
  if (!next) {
    next = reinterpret_cast<GetValue>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"));
  }
  return next(device);
}

// --- Devices -------------------------------------------------------------------------------------
// If the mode was not given, its value is arbitrary, and it is not used without O_CREAT.

UNRAVEL_EXPORT int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = va_arg(list, mode_t);
  va_end(list);
  return open_either(AT_FDCWD, path, flags, mode, UNRAVEL_SITE,
                     [&] { return real::open(path, flags, mode); });
}

UNRAVEL_EXPORT int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = va_arg(list, mode_t);
  va_end(list);
  return open_either(AT_FDCWD, path, flags, mode, UNRAVEL_SITE,
                     [&] { return real::open64(path, flags, mode); });
}

UNRAVEL_ALIAS(__open, open);
UNRAVEL_ALIAS(__open64, open64);

UNRAVEL_EXPORT int openat(int directory, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = va_arg(list, mode_t);
  va_end(list);
  return open_either(directory, path, flags, mode, UNRAVEL_SITE,
                     [&] { return real::openat(directory, path, flags, mode); });
}

UNRAVEL_EXPORT int openat64(int directory, const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const auto mode = va_arg(list, mode_t);
  va_end(list);
  return open_either(directory, path, flags, mode, UNRAVEL_SITE,
                     [&] { return real::openat64(directory, path, flags, mode); });
}

UNRAVEL_EXPORT int __open_2(const char* path, int flags) {
  return open_either(AT_FDCWD, path, flags, 0, UNRAVEL_SITE,
                     [&] { return real::__open_2(path, flags); });
}

UNRAVEL_EXPORT int __open64_2(const char* path, int flags) {
  return open_either(AT_FDCWD, path, flags, 0, UNRAVEL_SITE,
                     [&] { return real::__open64_2(path, flags); });
}

UNRAVEL_EXPORT int __openat_2(int directory, const char* path, int flags) {
  return open_either(directory, path, flags, 0, UNRAVEL_SITE,
                     [&] { return real::__openat_2(directory, path, flags); });
}

UNRAVEL_EXPORT int __openat64_2(int directory, const char* path, int flags) {
  return open_either(directory, path, flags, 0, UNRAVEL_SITE,
                     [&] { return real::__openat64_2(directory, path, flags); });
}

UNRAVEL_EXPORT FILE* fopen(const char* path, const char* mode) {
  return open_stream(path, mode, UNRAVEL_SITE, real::fopen.get());
}

UNRAVEL_EXPORT FILE* _IO_fopen(const char* path, const char* mode) {
  return open_stream(path, mode, UNRAVEL_SITE, real::fopen.get());
}

UNRAVEL_EXPORT FILE* fopen64(const char* path, const char* mode) {
  return open_stream(path, mode, UNRAVEL_SITE, real::fopen64.get());
}
