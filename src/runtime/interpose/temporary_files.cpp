/// Files and directories whose names are made up: the same names in every run. libc takes random
/// bytes from the kernel for them by itself, where nobody can stand in front.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>

#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/files.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

constexpr char kBlank[] = "XXXXXX";
constexpr std::size_t kBlankSize = sizeof(kBlank) - 1;

// As many as libc tries.
constexpr int kMostNames = 62 * 62 * 62;

/// Where the blank of a name begins, which ends `suffix` bytes before it does; null: it has none.
char* blank_of(char* name, int suffix) {
  const std::size_t size = std::strlen(name);
  if (suffix < 0 || size < kBlankSize + static_cast<std::size_t>(suffix)) return nullptr;
  char* blank = name + size - static_cast<std::size_t>(suffix) - kBlankSize;
  return std::strncmp(blank, kBlank, kBlankSize) == 0 ? blank : nullptr;
}

/// Fills the blank so that `make`, which answers as a system call does, finds no such file yet.
/// -1 and errno if it cannot be made.
template <class Make>
int make_named(char* name, int suffix, Make make) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  ErrnoKeeper keeper;
  char* blank = blank_of(name, suffix);
  if (!blank) return keeper.fail(EINVAL);
  long answer = -EEXIST;
  for (int i = 0; i < kMostNames && answer == -EEXIST; ++i) {
    std::uint64_t drawn = runtime().names().next();
    for (std::size_t at = 0; at < kBlankSize; ++at, drawn /= sizeof(kLetters) - 1) {
      blank[at] = kLetters[drawn % (sizeof(kLetters) - 1)];
    }
    answer = make();
  }
  if (answer < 0) return keeper.fail(static_cast<int>(-answer));
  note_file(AT_FDCWD, name);
  return static_cast<int>(answer);
}

int make_file(char* name, int suffix, int flags) {
  const int all = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
  return make_named(name, suffix, [&] {
    return os::call(SYS_openat, AT_FDCWD, os::as_argument(name), all, S_IRUSR | S_IWUSR);
  });
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int mkstemp(char* name) {
  return controlled_thread() ? make_file(name, 0, 0) : real::mkstemp(name);
}

UNRAVEL_EXPORT int mkstemp64(char* name) {
  return controlled_thread() ? make_file(name, 0, 0) : real::mkstemp64(name);
}

UNRAVEL_EXPORT int mkostemp(char* name, int flags) {
  return controlled_thread() ? make_file(name, 0, flags) : real::mkostemp(name, flags);
}

UNRAVEL_EXPORT int mkostemp64(char* name, int flags) {
  return controlled_thread() ? make_file(name, 0, flags) : real::mkostemp64(name, flags);
}

UNRAVEL_EXPORT int mkstemps(char* name, int suffix) {
  return controlled_thread() ? make_file(name, suffix, 0) : real::mkstemps(name, suffix);
}

UNRAVEL_EXPORT int mkstemps64(char* name, int suffix) {
  return controlled_thread() ? make_file(name, suffix, 0) : real::mkstemps64(name, suffix);
}

UNRAVEL_EXPORT int mkostemps(char* name, int suffix, int flags) {
  return controlled_thread() ? make_file(name, suffix, flags)
                             : real::mkostemps(name, suffix, flags);
}

UNRAVEL_EXPORT int mkostemps64(char* name, int suffix, int flags) {
  return controlled_thread() ? make_file(name, suffix, flags)
                             : real::mkostemps64(name, suffix, flags);
}

UNRAVEL_EXPORT char* mkdtemp(char* name) noexcept {
  if (!controlled_thread()) return real::mkdtemp(name);
  const int made = make_named(name, 0, [&] {
    return os::call(SYS_mkdir, os::as_argument(name), S_IRUSR | S_IWUSR | S_IXUSR);
  });
  return made < 0 ? nullptr : name;
}
