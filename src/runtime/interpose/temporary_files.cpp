/// Files and directories with generated names: the names are the same in every run. libc would take
/// random bytes directly from the kernel, where we cannot interpose.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>

#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/files.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

constexpr char kBlank[] = "XXXXXX";
constexpr std::size_t kBlankSize = sizeof(kBlank) - 1;

// As many as libc tries.
constexpr int kMostNames = 62 * 62 * 62;

/// The start of the X's of a name, which end `suffix` bytes before its end; null: it has none.
char* blank_of(char* name, int suffix) {
  const std::size_t size = std::strlen(name);
  if (suffix < 0 || size < kBlankSize + static_cast<std::size_t>(suffix)) return nullptr;
  char* blank = name + size - static_cast<std::size_t>(suffix) - kBlankSize;
  return std::strncmp(blank, kBlank, kBlankSize) == 0 ? blank : nullptr;
}

/// Fills in the X's until `make`, which answers like a system call, finds an unused name. Returns
/// -1 with errno on failure.
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
  return answer < 0 ? keeper.fail(static_cast<int>(-answer)) : static_cast<int>(answer);
}

int make_file(char* name, int suffix, int flags) {
  const int all = (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL;
  const int made = make_named(name, suffix, [&] {
    return os::call(SYS_openat, AT_FDCWD, os::as_argument(name), all, S_IRUSR | S_IWUSR);
  });
  if (made >= 0) record_file(AT_FDCWD, name);
  return made;
}

/// Only makes a name that is not used. The name is empty on failure.
char* make_name(char* name) {
  const int found = make_named(name, 0, [&] {
    struct stat status {};
    const long answer = os::call(SYS_lstat, os::as_argument(name), os::as_argument(&status));
    return answer == 0 ? -EEXIST : answer == -ENOENT ? 0 : answer;
  });
  if (found < 0) *name = '\0';
  return name;
}

bool is_directory(const char* path) {
  struct stat status {};
  if (!path) return false;
  const long answer = os::call(SYS_stat, os::as_argument(path), os::as_argument(&status));
  return answer == 0 && S_ISDIR(status.st_mode);
}

/// Writes "DIRECTORY/PREFIXXXXXXX" into a buffer. Returns false if it does not fit.
bool begin_name(char* name, std::size_t size, const char* directory, const char* prefix) {
  constexpr std::size_t kMostOfPrefix = 5;
  std::size_t length = std::strlen(directory);
  while (length > 1 && directory[length - 1] == '/') --length;
  const std::size_t used = prefix && *prefix ? strnlen(prefix, kMostOfPrefix) : 4;
  if (length + 1 + used + sizeof(kBlank) > size) return false;
  std::memcpy(name, directory, length);
  name[length] = '/';
  std::memcpy(name + length + 1, prefix && *prefix ? prefix : "file", used);
  std::memcpy(name + length + 1 + used, kBlank, sizeof(kBlank));
  return true;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int mkstemp(char* name) {
  return controlled_thread() ? make_file(name, 0, 0)
                             : pass_through(UNRAVEL_SITE, real::mkstemp, name);
}

UNRAVEL_EXPORT int mkstemp64(char* name) {
  return controlled_thread() ? make_file(name, 0, 0)
                             : pass_through(UNRAVEL_SITE, real::mkstemp64, name);
}

UNRAVEL_EXPORT int mkostemp(char* name, int flags) {
  return controlled_thread() ? make_file(name, 0, flags)
                             : pass_through(UNRAVEL_SITE, real::mkostemp, name, flags);
}

UNRAVEL_EXPORT int mkostemp64(char* name, int flags) {
  return controlled_thread() ? make_file(name, 0, flags)
                             : pass_through(UNRAVEL_SITE, real::mkostemp64, name, flags);
}

UNRAVEL_EXPORT int mkstemps(char* name, int suffix) {
  return controlled_thread() ? make_file(name, suffix, 0)
                             : pass_through(UNRAVEL_SITE, real::mkstemps, name, suffix);
}

UNRAVEL_EXPORT int mkstemps64(char* name, int suffix) {
  return controlled_thread() ? make_file(name, suffix, 0)
                             : pass_through(UNRAVEL_SITE, real::mkstemps64, name, suffix);
}

UNRAVEL_EXPORT int mkostemps(char* name, int suffix, int flags) {
  return controlled_thread() ? make_file(name, suffix, flags)
                             : pass_through(UNRAVEL_SITE, real::mkostemps, name, suffix, flags);
}

UNRAVEL_EXPORT int mkostemps64(char* name, int suffix, int flags) {
  return controlled_thread() ? make_file(name, suffix, flags)
                             : pass_through(UNRAVEL_SITE, real::mkostemps64, name, suffix, flags);
}

UNRAVEL_EXPORT char* mkdtemp(char* name) noexcept {
  if (!controlled_thread()) return real::mkdtemp(name);
  const int made = make_named(name, 0, [&] {
    return os::call(SYS_mkdir, os::as_argument(name), S_IRUSR | S_IWUSR | S_IXUSR);
  });
  if (made < 0) return nullptr;
  record_file(AT_FDCWD, name);
  return name;
}

UNRAVEL_EXPORT char* mktemp(char* name) noexcept {
  return controlled_thread() ? make_name(name) : pass_through(UNRAVEL_SITE, real::mktemp, name);
}

UNRAVEL_EXPORT char* tmpnam_r(char* name) noexcept {
  if (!controlled_thread() || !name) return real::tmpnam_r(name);
  begin_name(name, L_tmpnam, P_tmpdir, nullptr);
  return *make_name(name) ? name : nullptr;
}

UNRAVEL_EXPORT char* tmpnam(char* name) noexcept {
  static char last[L_tmpnam];
  return controlled_thread() ? tmpnam_r(name ? name : last)
                             : pass_through(UNRAVEL_SITE, real::tmpnam, name);
}

UNRAVEL_EXPORT char* tempnam(const char* directory, const char* prefix) noexcept {
  if (!controlled_thread()) return real::tempnam(directory, prefix);
  const char* wanted = secure_getenv("TMPDIR");
  if (!is_directory(wanted)) wanted = is_directory(directory) ? directory : P_tmpdir;
  char name[FILENAME_MAX];
  if (!begin_name(name, sizeof(name), wanted, prefix)) {
    errno = EINVAL;
    return nullptr;
  }
  return *make_name(name) ? real::strdup(name) : nullptr;
}
