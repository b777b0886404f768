/// Files that the program creates, opens for writing, truncates, renames or removes. The calls
/// themselves are not changed. Without a sandbox the names are recorded, because later runs find
/// these files. (open and fopen are in random_sources.cpp, with the random devices; temporary files
/// are in temporary_files.cpp.)
#include "runtime/interpose/files.hpp"

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor_copies.hpp"
#include "runtime/interpose/stream.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {
namespace {

/// Makes the call, and records the file if it succeeded.
template <class Call>
int recording(int directory, const char* path, Call call) {
  const int answer = call();
  if (answer != -1) record_file(directory, path);
  return answer;
}

template <class Call>
int recording_both(int from_directory, const char* from, int to_directory, const char* to,
                   Call call) {
  const int answer = recording(from_directory, from, call);
  if (answer != -1) record_file(to_directory, to);
  return answer;
}

/// Records the path of a shared memory object or semaphore with this name.
int recording_shared(const char* prefix, const char* name, int answer) {
  if (answer == -1) return answer;
  char path[64];
  std::size_t end = 0;
  for (const char* part : {"/dev/shm/", prefix, name + (name[0] == '/')}) {
    while (*part && end + 1 < sizeof path) path[end++] = *part++;
  }
  path[end] = '\0';
  record_file(AT_FDCWD, path);
  return answer;
}

}  // namespace

void record_opened(int descriptor, int directory, const char* path) {
  if (!controlled_thread() || runtime().settings().sandboxed) return;
  struct stat status {};
  const long answer = os::call(SYS_fstat, descriptor, os::as_argument(&status));
  if (answer == 0 && S_ISREG(status.st_mode)) record_file(directory, path);
}

}  // namespace unravel

using namespace unravel;

// --- Created -------------------------------------------------------------------------------------

UNRAVEL_EXPORT int creat(const char* path, mode_t mode) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
UNRAVEL_ALIAS(creat64, creat);

UNRAVEL_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  prepare(stream, 0, UNRAVEL_SITE);
  if (controlled_thread() && stream && stream->_fileno >= 0) forget_descriptor(stream->_fileno);
  FILE* opened = real::freopen(path, mode, stream);
  if (opened && path && changes_file(mode)) record_opened(fileno(opened), AT_FDCWD, path);
  return opened;
}

UNRAVEL_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  prepare(stream, 0, UNRAVEL_SITE);
  if (controlled_thread() && stream && stream->_fileno >= 0) forget_descriptor(stream->_fileno);
  FILE* opened = real::freopen64(path, mode, stream);
  if (opened && path && changes_file(mode)) record_opened(fileno(opened), AT_FDCWD, path);
  return opened;
}

UNRAVEL_EXPORT int mkdir(const char* path, mode_t mode) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::mkdir(path, mode); });
}

UNRAVEL_EXPORT int mkdirat(int directory, const char* path, mode_t mode) noexcept {
  return recording(directory, path, [&] { return real::mkdirat(directory, path, mode); });
}

UNRAVEL_EXPORT int mkfifo(const char* path, mode_t mode) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::mkfifo(path, mode); });
}

UNRAVEL_EXPORT int mkfifoat(int directory, const char* path, mode_t mode) noexcept {
  return recording(directory, path, [&] { return real::mkfifoat(directory, path, mode); });
}

UNRAVEL_EXPORT int mknod(const char* path, mode_t mode, dev_t device) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::mknod(path, mode, device); });
}

UNRAVEL_EXPORT int mknodat(int directory, const char* path, mode_t mode, dev_t device) noexcept {
  return recording(directory, path, [&] { return real::mknodat(directory, path, mode, device); });
}

UNRAVEL_EXPORT int link(const char* from, const char* to) noexcept {
  return recording(AT_FDCWD, to, [&] { return real::link(from, to); });
}

UNRAVEL_EXPORT int linkat(int from_directory, const char* from, int to_directory, const char* to,
                          int flags) noexcept {
  return recording(to_directory, to,
                   [&] { return real::linkat(from_directory, from, to_directory, to, flags); });
}

UNRAVEL_EXPORT int symlink(const char* from, const char* to) noexcept {
  return recording(AT_FDCWD, to, [&] { return real::symlink(from, to); });
}

UNRAVEL_EXPORT int symlinkat(const char* from, int directory, const char* to) noexcept {
  return recording(directory, to, [&] { return real::symlinkat(from, directory, to); });
}

UNRAVEL_EXPORT int shm_open(const char* name, int flags, mode_t mode) {
  const int answer = real::shm_open(name, flags, mode);
  return changes_file(flags) ? recording_shared("", name, answer) : answer;
}

// --- Changed and removed -------------------------------------------------------------------------

UNRAVEL_EXPORT int truncate(const char* path, off_t size) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::truncate(path, size); });
}

UNRAVEL_EXPORT int truncate64(const char* path, off64_t size) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::truncate64(path, size); });
}

UNRAVEL_EXPORT int rename(const char* from, const char* to) noexcept {
  return recording_both(AT_FDCWD, from, AT_FDCWD, to, [&] { return real::rename(from, to); });
}

UNRAVEL_EXPORT int renameat(int from_directory, const char* from, int to_directory,
                            const char* to) noexcept {
  return recording_both(from_directory, from, to_directory, to,
                        [&] { return real::renameat(from_directory, from, to_directory, to); });
}

UNRAVEL_EXPORT int renameat2(int from_directory, const char* from, int to_directory, const char* to,
                             unsigned flags) noexcept {
  return recording_both(from_directory, from, to_directory, to, [&] {
    return real::renameat2(from_directory, from, to_directory, to, flags);
  });
}

UNRAVEL_EXPORT int unlink(const char* path) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::unlink(path); });
}

UNRAVEL_EXPORT int unlinkat(int directory, const char* path, int flags) noexcept {
  return recording(directory, path, [&] { return real::unlinkat(directory, path, flags); });
}

UNRAVEL_EXPORT int remove(const char* path) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::remove(path); });
}

UNRAVEL_EXPORT int rmdir(const char* path) noexcept {
  return recording(AT_FDCWD, path, [&] { return real::rmdir(path); });
}

UNRAVEL_EXPORT int shm_unlink(const char* name) {
  return recording_shared("", name, real::shm_unlink(name));
}

UNRAVEL_EXPORT int sem_unlink(const char* name) noexcept {
  return recording_shared("sem.", name, real::sem_unlink(name));
}
