#include "runtime/interpose/caught_calls.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>

#include <cstring>

#include "runtime/interpose/caught_calls_table.hpp"
#include "runtime/interpose/opened_files.hpp"
#include "runtime/interpose/serving.hpp"
#include "runtime/interpose/traffic.hpp"
#include "runtime/interpose/unblocked.hpp"
#include "runtime/process/faults.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

using os::CaughtCall;
using wire::InputKind;
using wire::Operation;

long make(const CaughtCall& call) {
  const long(&a)[6] = call.arguments;
  return os::call(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/// A control call that only asks, and how much it fills in.
CallRow row_of_control(const CaughtCall& call) {
  std::uint32_t bytes = 0;
  switch (call.arguments[1]) {
    case TCGETS: bytes = 36; break;  // the kernel's termios is shorter than the C library's
    case TIOCGWINSZ: bytes = sizeof(winsize); break;
    case FIONREAD:
    case TIOCGPGRP: bytes = sizeof(int); break;
    default: return {.number = -1};
  }
  return {
      .number = SYS_ioctl, .descriptor = 0, .out = 2, .size = AnswerSize::kFixed, .bytes = bytes};
}

std::size_t size_of(const CallRow& row, const CaughtCall& call, long result, std::size_t room) {
  if (result < 0 || row.out < 0 || !call.arguments[row.out]) return 0;
  switch (row.size) {
    case AnswerSize::kNone: return 0;
    case AnswerSize::kFixed: return row.bytes;
    case AnswerSize::kResult: return static_cast<std::size_t>(result);
    case AnswerSize::kGroups:
      return call.arguments[0] ? static_cast<std::size_t>(result) * kIdSize : 0;
    case AnswerSize::kLength: {
      const auto* length = reinterpret_cast<const socklen_t*>(call.arguments[row.out + 1]);
      return length ? (*length < room ? *length : room) : 0;
    }
  }
  return 0;
}

/// Copies what the program has passed. The kernel reads it, because the address may be bad.
bool read_argument(long from, void* to, std::size_t size) {
  const iovec here{.iov_base = to, .iov_len = size};
  const iovec there{.iov_base = reinterpret_cast<void*>(from), .iov_len = size};
  const long got = os::call(SYS_process_vm_readv, os::call(SYS_getpid), os::as_argument(&here), 1,
                            os::as_argument(&there), 1, 0);
  return got == static_cast<long>(size);
}

/// How much room the program gives for a buffer with a length of its own.
std::size_t room_of(const CallRow& row, const CaughtCall& call) {
  if (row.size != AnswerSize::kLength) return 0;
  socklen_t length = 0;
  return read_argument(call.arguments[row.out + 1], &length, sizeof length) ? length : 0;
}

InputCall input_of(const CallRow& row, const CaughtCall& call) {
  return {.kind = InputKind::kCall,
          .descriptor = row.descriptor < 0 ? -1 : static_cast<int>(call.arguments[row.descriptor]),
          .call = static_cast<std::uint16_t>(call.number)};
}

std::uint64_t asked_by(const CallRow& row, const CaughtCall& call) {
  return hash_of_path(row.path < 0 ? 0 : call.arguments[row.path]);
}

bool has_path(const CallRow& row, const CaughtCall& call) {
  char first = 0;
  return row.path >= 0 && read_argument(call.arguments[row.path], &first, 1) && first;
}

/// The number of the stream or file that a call is about; 0: none.
std::uint32_t stream_of(const Thread& self, const InputCall& input) {
  if (input.descriptor < 0) return 0;
  if (const std::uint32_t file = runtime().streams().file_at(input.descriptor)) return file;
  struct stat status {};
  const bool is_outside = os::call(SYS_fstat, input.descriptor, os::as_argument(&status)) == 0 &&
                          Streams::is_stream(input.descriptor, status) &&
                          !runtime().outsiders().is_inside(input.descriptor, status);
  if (!is_outside) return 0;
  if (runtime().inputs().serves()) return served_number(self, input.descriptor, status);
  StreamNode& node = runtime().streams().at(input.descriptor, status, self);
  return runtime().inputs().number_of(self, node, input.descriptor);
}

long record_call(Thread& self, const CallRow& row, const CaughtCall& call) {
  const std::size_t room = room_of(row, call);
  const long result = make(call);
  const std::size_t size = size_of(row, call, result, room);
  const bool has_length = row.size == AnswerSize::kLength && result >= 0;
  const auto* length =
      has_length ? reinterpret_cast<const socklen_t*>(call.arguments[row.out + 1]) : nullptr;
  Inputs& inputs = runtime().inputs();
  InputCall input = input_of(row, call);
  input.stream = stream_of(self, input);
  inputs.begin(self, input, result, size + (length ? sizeof(*length) : 0), asked_by(row, call));
  if (length) inputs.add(length, sizeof(*length));
  if (size) inputs.add(reinterpret_cast<const void*>(call.arguments[row.out]), size);
  inputs.end();
  return result;
}

/// Gives the recorded answer. Returns false if there is other room for it.
bool fill_in(const CallRow& row, const CaughtCall& call, RecordedInput& input) {
  const long result = input.result();
  bool is_whole = true;
  const std::size_t room = room_of(row, call);
  if (row.size == AnswerSize::kLength && result >= 0 && call.arguments[row.out + 1]) {
    is_whole = input.read(reinterpret_cast<void*>(call.arguments[row.out + 1]), sizeof(socklen_t));
  }
  const std::size_t size = size_of(row, call, result, room);
  if (is_whole && size) {
    is_whole = input.read(reinterpret_cast<void*>(call.arguments[row.out]), size);
  }
  return is_whole && input.left() == 0;
}

long replay_call(Thread& self, const CallRow& row, const CaughtCall& call) {
  Inputs& inputs = runtime().inputs();
  RecordedInput input = inputs.take(self, input_of(row, call));
  // The C library draws names of files that it makes for a moment, as in sem_open(). It asks first
  // whether there is such a file.
  const bool may_be_drawn = row.acts || input.result() == -ENOENT;
  if (!may_be_drawn && input.asked() != asked_by(row, call)) {
    inputs.diverge(self, "the program asks for another file than the recorded run");
  }
  if (row.acts) make(call);
  if (!fill_in(row, call, input)) inputs.diverge(self, kOtherRoom);
  return input.result();
}

/// The answer by what was asked for, whatever the order.
long serve_call(Thread& self, const CallRow& row, const CaughtCall& call) {
  InputCall input = input_of(row, call);
  const std::uint32_t stream = stream_of(self, input);
  // What the program has made itself is asked for as it is.
  if (stream == 0 && !has_path(row, call) && input.descriptor >= 0) return make(call);
  const wire::InputHead* known =
      runtime().served().answer(input, stream, asked_by(row, call), self);
  if (!known && (row.acts || !has_path(row, call))) return make(call);
  if (!known) {
    runtime().inputs().end_unresolved(
        self,
        "the program asked for an input that was not recorded: it asks about a file about which "
        "the recorded run did not ask");
  }
  if (row.acts) make(call);
  RecordedInput recorded(*known);
  if (!fill_in(row, call, recorded)) {
    runtime().inputs().end_unresolved(self,
                                      "the program asked for an input that was not recorded: it "
                                      "has other room for an answer than in the recorded run");
  }
  return recorded.result();
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
  if (operation == Operation::kConnect && runtime().inputs().is_on()) {
    runtime().streams().record_connect(descriptor, self,
                                       reinterpret_cast<const sockaddr*>(call.arguments[1]),
                                       static_cast<socklen_t>(call.arguments[2]));
  }
  if (runtime().inputs().serves()) {
    struct stat status {};
    os::call(SYS_fstat, descriptor, os::as_argument(&status));
    return serve_traffic(self, operation, descriptor, status, &traffic);
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
  if (inputs.serves()) {
    return poll_now(self, static_cast<pollfd*>(wishes), static_cast<nfds_t>(call.arguments[1]));
  }
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
  const CallRow control = call.number == SYS_ioctl ? row_of_control(call) : CallRow{.number = -1};
  const CallRow* row = control.number >= 0 ? &control : row_of(call.number);
  const Inputs& inputs = runtime().inputs();
  if (row && inputs.serves()) return serve_call(self, *row, call);
  if (row) {
    return inputs.replays() ? replay_call(self, *row, call) : record_call(self, *row, call);
  }
  if (call.number == SYS_close)
    runtime().streams().record_file(static_cast<int>(call.arguments[0]), 0);
  return is_traffic(call) ? answer_traffic(self, call) : make(call);
}

}  // namespace

std::uint64_t hash_of_path(long path) {
  constexpr long kPage = 4096;
  SentHash hash;
  char block[256];
  // A block never crosses the end of a page: what follows may not be readable.
  for (long at = path; at && at - path < PATH_MAX;) {
    const long left = kPage - at % kPage;
    const std::size_t size = static_cast<std::size_t>(left) < sizeof block
                                 ? static_cast<std::size_t>(left)
                                 : sizeof block;
    if (!read_argument(at, block, size)) break;
    const std::size_t used = ::strnlen(block, size);
    hash.add(block, used);
    if (used < size) break;
    at += static_cast<long>(size);
  }
  return hash.value();
}

void begin_to_catch_calls(Thread& self, wire::CatchCalls wanted) {
  Inputs& inputs = runtime().inputs();
  if (wanted == wire::CatchCalls::kNo) return;
  const InputCall begins{.kind = InputKind::kCall, .call = SYS_prctl};
  if (os::catch_calls(answer_caught_call, receive_other_fault)) {
    if (inputs.replays()) {
      inputs.take(self, begins);
    } else if (inputs.records()) {
      inputs.begin(self, begins, 0, 0);
      inputs.end();
    }
  } else if (!inputs.records()) {
    inputs.diverge(self,
                   "system calls were caught in the recorded run; this kernel cannot do that");
  } else if (wanted == wire::CatchCalls::kYes) {
    inputs.give_up(self, "this kernel cannot catch system calls for --catch-all");
  }
}

long answer_caught_call(const CaughtCall& call) {
  const Inputs& inputs = runtime().inputs();
  const bool is_input =
      current_thread && (inputs.is_on() || inputs.replays()) && !os::is_loader(call.place);
  return is_input ? answer(*current_thread, call) : make(call);
}

}  // namespace unravel
