/// Which system calls say something about the outside, and where: a row for each.
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include <cstdint>

namespace unravel {

/// The size of a buffer that a call fills.
enum class AnswerSize : std::uint8_t {
  kNone,
  kFixed,
  kResult,  // as many bytes as the call returns
  kGroups,  // as many group numbers
  kLength,  // what the length in the next argument says
};

/// What a call says about the outside.
struct CallRow {
  long number;
  int path = -1;        // the argument that is a path
  int descriptor = -1;  // the argument that is a descriptor
  int out = -1;         // the argument that is filled
  AnswerSize size = AnswerSize::kNone;
  std::uint32_t bytes = 0;  // for kFixed
  bool acts = false;        // it changes something here: a replay makes the call, too
};

inline constexpr std::uint32_t kIdSize = 4;
inline constexpr std::uint32_t kStatxSize = 256;

inline constexpr CallRow kCallRows[] = {
    {.number = SYS_stat,
     .path = 0,
     .out = 1,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_lstat,
     .path = 0,
     .out = 1,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_fstat,
     .descriptor = 0,
     .out = 1,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_newfstatat,
     .path = 1,
     .descriptor = 0,
     .out = 2,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_statx,
     .path = 1,
     .descriptor = 0,
     .out = 4,
     .size = AnswerSize::kFixed,
     .bytes = kStatxSize},
    {.number = SYS_access, .path = 0},
    {.number = SYS_faccessat, .path = 1, .descriptor = 0},
    {.number = SYS_faccessat2, .path = 1, .descriptor = 0},
    {.number = SYS_readlink, .path = 0, .out = 1, .size = AnswerSize::kResult},
    {.number = SYS_readlinkat, .path = 1, .descriptor = 0, .out = 2, .size = AnswerSize::kResult},
    {.number = SYS_getdents, .descriptor = 0, .out = 1, .size = AnswerSize::kResult},
    {.number = SYS_getdents64, .descriptor = 0, .out = 1, .size = AnswerSize::kResult},
    {.number = SYS_statfs,
     .path = 0,
     .out = 1,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct statfs)},
    {.number = SYS_fstatfs,
     .descriptor = 0,
     .out = 1,
     .size = AnswerSize::kFixed,
     .bytes = sizeof(struct statfs)},
    {.number = SYS_getxattr, .path = 0, .out = 2, .size = AnswerSize::kResult},
    {.number = SYS_lgetxattr, .path = 0, .out = 2, .size = AnswerSize::kResult},
    {.number = SYS_uname, .out = 0, .size = AnswerSize::kFixed, .bytes = sizeof(utsname)},
    {.number = SYS_getuid},
    {.number = SYS_geteuid},
    {.number = SYS_getgid},
    {.number = SYS_getegid},
    {.number = SYS_getgroups, .out = 1, .size = AnswerSize::kGroups},
    {.number = SYS_getsockname, .descriptor = 0, .out = 1, .size = AnswerSize::kLength},
    {.number = SYS_getpeername, .descriptor = 0, .out = 1, .size = AnswerSize::kLength},
    {.number = SYS_getsockopt, .descriptor = 0, .out = 3, .size = AnswerSize::kLength},
    {.number = SYS_mkdir, .path = 0, .acts = true},
    {.number = SYS_mkdirat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_rmdir, .path = 0, .acts = true},
    {.number = SYS_unlink, .path = 0, .acts = true},
    {.number = SYS_unlinkat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_rename, .path = 0, .acts = true},
    {.number = SYS_renameat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_renameat2, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_link, .path = 0, .acts = true},
    {.number = SYS_linkat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_symlink, .path = 1, .acts = true},
    {.number = SYS_symlinkat, .path = 2, .descriptor = 1, .acts = true},
    {.number = SYS_chmod, .path = 0, .acts = true},
    {.number = SYS_fchmodat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_utimensat, .path = 1, .descriptor = 0, .acts = true},
    {.number = SYS_truncate, .path = 0, .acts = true},
    {.number = SYS_bind, .descriptor = 0, .acts = true},
    {.number = SYS_listen, .descriptor = 0, .acts = true},
    {.number = SYS_setsockopt, .descriptor = 0, .acts = true},
    {.number = SYS_shutdown, .descriptor = 0, .acts = true},
};

inline const CallRow* row_of(long number) {
  for (const CallRow& row : kCallRows) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

}  // namespace unravel
