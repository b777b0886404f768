#include "runtime/interpose/caught_calls.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <termios.h>

#include <cstring>

#include "runtime/interpose/opened_files.hpp"
#include "runtime/interpose/traffic.hpp"
#include "runtime/interpose/unblocked.hpp"
#include "runtime/process/faults.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

using os::CaughtCall;
using wire::InputKind;
using wire::Operation;

/// The size of a buffer that a call fills.
enum class Size : std::uint8_t {
  kNone,
  kFixed,
  kResult,  // as many bytes as the call returns
  kGroups,  // as many group numbers
  kLength,  // what the length in the next argument says
};

/// What a call says about the outside.
struct Row {
  long number;
  int path = -1;        // the argument that is a path
  int descriptor = -1;  // the argument that is a descriptor
  int out = -1;         // the argument that is filled
  Size size = Size::kNone;
  std::uint32_t bytes = 0;  // for kFixed
  bool acts = false;        // it changes something here: a replay makes the call, too
};

constexpr std::uint32_t kIdSize = 4;
constexpr std::uint32_t kStatxSize = 256;

constexpr Row kRows[] = {
    {.number = SYS_stat, .path = 0, .out = 1, .size = Size::kFixed, .bytes = sizeof(struct stat)},
    {.number = SYS_lstat, .path = 0, .out = 1, .size = Size::kFixed, .bytes = sizeof(struct stat)},
    {.number = SYS_fstat,
     .descriptor = 0,
     .out = 1,
     .size = Size::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_newfstatat,
     .path = 1,
     .descriptor = 0,
     .out = 2,
     .size = Size::kFixed,
     .bytes = sizeof(struct stat)},
    {.number = SYS_statx,
     .path = 1,
     .descriptor = 0,
     .out = 4,
     .size = Size::kFixed,
     .bytes = kStatxSize},
    {.number = SYS_access, .path = 0},
    {.number = SYS_faccessat, .path = 1, .descriptor = 0},
    {.number = SYS_faccessat2, .path = 1, .descriptor = 0},
    {.number = SYS_readlink, .path = 0, .out = 1, .size = Size::kResult},
    {.number = SYS_readlinkat, .path = 1, .descriptor = 0, .out = 2, .size = Size::kResult},
    {.number = SYS_getdents, .descriptor = 0, .out = 1, .size = Size::kResult},
    {.number = SYS_getdents64, .descriptor = 0, .out = 1, .size = Size::kResult},
    {.number = SYS_statfs,
     .path = 0,
     .out = 1,
     .size = Size::kFixed,
     .bytes = sizeof(struct statfs)},
    {.number = SYS_fstatfs,
     .descriptor = 0,
     .out = 1,
     .size = Size::kFixed,
     .bytes = sizeof(struct statfs)},
    {.number = SYS_getxattr, .path = 0, .out = 2, .size = Size::kResult},
    {.number = SYS_lgetxattr, .path = 0, .out = 2, .size = Size::kResult},
    {.number = SYS_uname, .out = 0, .size = Size::kFixed, .bytes = sizeof(utsname)},
    {.number = SYS_getuid},
    {.number = SYS_geteuid},
    {.number = SYS_getgid},
    {.number = SYS_getegid},
    {.number = SYS_getgroups, .out = 1, .size = Size::kGroups},
    {.number = SYS_getsockname, .descriptor = 0, .out = 1, .size = Size::kLength},
    {.number = SYS_getpeername, .descriptor = 0, .out = 1, .size = Size::kLength},
    {.number = SYS_getsockopt, .descriptor = 0, .out = 3, .size = Size::kLength},
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

const Row* row_of(long number) {
  for (const Row& row : kRows) {
    if (row.number == number) return &row;
  }
  return nullptr;
}

long make(const CaughtCall& call) {
  const long(&a)[6] = call.arguments;
  return os::call(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/// A control call that only asks, and how much it fills in.
Row row_of_control(const CaughtCall& call) {
  std::uint32_t bytes = 0;
  switch (call.arguments[1]) {
    case TCGETS: bytes = 36; break;  // the kernel's termios is shorter than the C library's
    case TIOCGWINSZ: bytes = sizeof(winsize); break;
    case FIONREAD:
    case TIOCGPGRP: bytes = sizeof(int); break;
    default: return {.number = -1};
  }
  return {.number = SYS_ioctl, .descriptor = 0, .out = 2, .size = Size::kFixed, .bytes = bytes};
}

std::size_t size_of(const Row& row, const CaughtCall& call, long result, std::size_t room) {
  if (result < 0 || row.out < 0 || !call.arguments[row.out]) return 0;
  switch (row.size) {
    case Size::kNone: return 0;
    case Size::kFixed: return row.bytes;
    case Size::kResult: return static_cast<std::size_t>(result);
    case Size::kGroups: return call.arguments[0] ? static_cast<std::size_t>(result) * kIdSize : 0;
    case Size::kLength: {
      const auto* length = reinterpret_cast<const socklen_t*>(call.arguments[row.out + 1]);
      return length ? (*length < room ? *length : room) : 0;
    }
  }
  return 0;
}

/// How much room the program gives for a buffer with a length of its own. The kernel reads the
/// length, because the program may have passed a bad address.
std::size_t room_of(const Row& row, const CaughtCall& call) {
  if (row.size != Size::kLength) return 0;
  socklen_t length = 0;
  const iovec here{.iov_base = &length, .iov_len = sizeof length};
  const iovec there{.iov_base = reinterpret_cast<void*>(call.arguments[row.out + 1]),
                    .iov_len = sizeof length};
  const long got = os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here), 1,
                            os::as_argument(&there), 1, 0);
  return got == sizeof length ? length : 0;
}

/// What the call asks for. Nothing of an address that the kernel refused is read.
std::uint64_t asked_by(const Row& row, const CaughtCall& call, long result) {
  return hash_of_path(row.path < 0 || result == -EFAULT ? 0 : call.arguments[row.path]);
}

InputCall input_of(const Row& row, const CaughtCall& call) {
  return {.kind = InputKind::kCall,
          .descriptor = row.descriptor < 0 ? -1 : static_cast<int>(call.arguments[row.descriptor]),
          .call = static_cast<std::uint16_t>(call.number)};
}

long record_call(Thread& self, const Row& row, const CaughtCall& call) {
  const std::size_t room = room_of(row, call);
  const long result = make(call);
  const std::size_t size = size_of(row, call, result, room);
  const bool has_length = row.size == Size::kLength && result >= 0;
  const auto* length =
      has_length ? reinterpret_cast<const socklen_t*>(call.arguments[row.out + 1]) : nullptr;
  Inputs& inputs = runtime().inputs();
  inputs.begin(self, input_of(row, call), result, size + (length ? sizeof(*length) : 0),
               asked_by(row, call, result));
  if (length) inputs.add(length, sizeof(*length));
  if (size) inputs.add(reinterpret_cast<const void*>(call.arguments[row.out]), size);
  inputs.end();
  return result;
}

long replay_call(Thread& self, const Row& row, const CaughtCall& call) {
  Inputs& inputs = runtime().inputs();
  RecordedInput input = inputs.take(self, input_of(row, call));
  // The C library draws names of files that it makes for a moment, as in sem_open(). It asks first
  // whether there is such a file.
  const bool may_be_drawn = row.acts || input.result() == -ENOENT;
  if (!may_be_drawn && input.asked() != asked_by(row, call, input.result())) {
    inputs.diverge(self, "the program asks for another file than the recorded run");
  }
  if (row.acts) make(call);
  const long result = input.result();
  bool is_whole = true;
  const std::size_t room = room_of(row, call);
  if (row.size == Size::kLength && result >= 0 && call.arguments[row.out + 1]) {
    is_whole = input.read(reinterpret_cast<void*>(call.arguments[row.out + 1]), sizeof(socklen_t));
  }
  const std::size_t size = size_of(row, call, result, room);
  if (is_whole && size) {
    is_whole = input.read(reinterpret_cast<void*>(call.arguments[row.out]), size);
  }
  if (!is_whole || input.left()) inputs.diverge(self, kOtherRoom);
  return result;
}

/// A call of the C library's own on something outside, such as a question to a name server.
bool is_traffic(const CaughtCall& call) {
  switch (call.number) {
    case SYS_read:
    case SYS_write:
    case SYS_recvfrom:
    case SYS_sendto:
    case SYS_recvmsg:
    case SYS_sendmsg:
    case SYS_connect: break;
    default: return false;
  }
  struct stat status {};
  const auto descriptor = static_cast<int>(call.arguments[0]);
  return os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 && may_block(status) &&
         !runtime().outsiders().is_inside(descriptor, status);
}

long answer_traffic(Thread& self, const CaughtCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  const bool sends =
      call.number == SYS_write || call.number == SYS_sendto || call.number == SYS_sendmsg;
  const Operation operation = call.number == SYS_connect ? Operation::kConnect
                              : sends                    ? Operation::kWrite
                                                         : Operation::kRead;
  const bool is_message = call.number == SYS_recvmsg || call.number == SYS_sendmsg;
  SingleTraffic single(reinterpret_cast<void*>(call.arguments[1]),
                       operation == Operation::kConnect || is_message
                           ? 0
                           : static_cast<std::size_t>(call.arguments[2]));
  Traffic traffic = *single;
  if (is_message) {
    traffic = Traffic::of_message(reinterpret_cast<msghdr*>(call.arguments[1]), 0);
    if (sends) traffic.message = nullptr;
  } else if (call.number == SYS_recvfrom && call.arguments[4] && call.arguments[5]) {
    traffic.name = reinterpret_cast<sockaddr*>(call.arguments[4]);
    traffic.name_size = reinterpret_cast<socklen_t*>(call.arguments[5]);
    traffic.name_room = *traffic.name_size;
  }
  if (runtime().inputs().replays()) return replay_traffic(self, operation, descriptor, traffic);
  const long result = make(call);
  record_traffic(self, operation, descriptor, result, traffic);
  return result;
}

/// poll() of the C library's own.
long answer_poll(Thread& self, const CaughtCall& call) {
  Inputs& inputs = runtime().inputs();
  auto* wishes = reinterpret_cast<void*>(call.arguments[0]);
  const std::size_t size = static_cast<std::size_t>(call.arguments[1]) * sizeof(pollfd);
  const InputCall input{.kind = InputKind::kCall, .call = static_cast<std::uint16_t>(call.number)};
  if (inputs.replays()) {
    RecordedInput recorded = inputs.take(self, input);
    if (!recorded.read(wishes, size)) inputs.diverge(self, kOtherRoom);
    return recorded.result();
  }
  const long result = make(call);
  inputs.begin(self, input, result, size);
  inputs.add(wishes, size);
  inputs.end();
  return result;
}

long answer(Thread& self, const CaughtCall& call) {
  if (is_open(call.number)) return answer_open(self, call);
  if (call.number == SYS_poll || call.number == SYS_ppoll) return answer_poll(self, call);
  const Row control = call.number == SYS_ioctl ? row_of_control(call) : Row{.number = -1};
  const Row* row = control.number >= 0 ? &control : row_of(call.number);
  if (row) {
    return runtime().inputs().replays() ? replay_call(self, *row, call)
                                        : record_call(self, *row, call);
  }
  return is_traffic(call) ? answer_traffic(self, call) : make(call);
}

}  // namespace

std::uint64_t hash_of_path(long path) {
  SentHash hash;
  if (const auto* text = reinterpret_cast<const char*>(path)) hash.add(text, std::strlen(text));
  return hash.value();
}

void begin_to_catch_calls(Thread& self, wire::CatchCalls wanted) {
  Inputs& inputs = runtime().inputs();
  if (wanted == wire::CatchCalls::kNo) return;
  const InputCall begins{.kind = InputKind::kCall, .call = SYS_prctl};
  if (os::catch_calls(answer_caught_call, receive_other_fault)) {
    if (inputs.replays()) {
      inputs.take(self, begins);
    } else {
      inputs.begin(self, begins, 0, 0);
      inputs.end();
    }
  } else if (inputs.replays()) {
    inputs.diverge(self, "system calls were caught in the recorded run; this kernel cannot do that");
  } else if (wanted == wire::CatchCalls::kYes) {
    inputs.give_up(self, "this kernel cannot catch system calls for --catch-all");
  }
}

long answer_caught_call(const CaughtCall& call) {
  const Inputs& inputs = runtime().inputs();
  const bool is_input =
      current_thread && (inputs.records() || inputs.replays()) && !os::is_loader(call.place);
  return is_input ? answer(*current_thread, call) : make(call);
}

}  // namespace unravel
