#include "runtime/interpose/traffic.hpp"

#include "runtime/interpose/socket.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

using wire::InputKind;
using wire::MessageHead;
using wire::Operation;

namespace {

bool has_head(const Traffic& traffic) {
  return traffic.message || (traffic.name && traffic.name_size);
}

InputCall call_of(Operation operation, int descriptor) {
  const bool sends = operation == Operation::kWrite || operation == Operation::kSendMessage;
  return {.kind = sends ? InputKind::kSent : InputKind::kReceived,
          .operation = operation,
          .descriptor = descriptor};
}

/// What the record says about a call that receives.
std::uint16_t bits_of(Operation operation, const Traffic& traffic, bool has_message) {
  int bits = 0;
  if (traffic.peeks) bits |= wire::kPeeked;
  if (has_message) bits |= wire::kHasMessage;
  const bool has_room = for_each_piece(traffic, 1, [](char*, std::size_t) {}) > 0;
  if (operation == Operation::kRead && !has_room) bits |= wire::kNoRoom;
  return static_cast<std::uint16_t>(bits);
}

/// The stream at a descriptor. Null: it has none.
StreamNode* stream_at(const Thread& self, int descriptor) {
  struct stat status {};
  if (os::call(SYS_fstat, descriptor, os::as_argument(&status)) != 0) return nullptr;
  return &runtime().streams().at(descriptor, status, self);
}

std::uint64_t hash_of(const Traffic& traffic, long result) {
  SentHash hash;
  if (result > 0) {
    for_each_piece(traffic, static_cast<std::size_t>(result),
                   [&](const char* bytes, std::size_t size) { hash.add(bytes, size); });
  }
  return hash.value();
}

MessageHead head_of(const Traffic& traffic) {
  const auto at_most = [](std::size_t size, std::size_t room) {
    return static_cast<std::uint32_t>(size < room ? size : room);
  };
  MessageHead head;
  if (const msghdr* message = traffic.message) {
    head = {.name_size = message->msg_namelen,
            .name_bytes = message->msg_name ? at_most(message->msg_namelen, traffic.name_room) : 0,
            .control_bytes =
                message->msg_control ? at_most(message->msg_controllen, traffic.control_room) : 0,
            .flags = message->msg_flags};
  } else {
    head = {.name_size = *traffic.name_size,
            .name_bytes = at_most(*traffic.name_size, traffic.name_room)};
  }
  return head;
}

/// The stand-in for a connection that came in the recorded run: a socket without another end.
long stand_in_for(int listener, long recorded, int flags) {
  const int domain = socket_option(listener, SO_DOMAIN);
  const int type = socket_option(listener, SO_TYPE);
  const long made = os::call(SYS_socket, domain < 0 ? AF_UNIX : domain,
                             (type < 0 ? SOCK_STREAM : type) | flags, 0);
  if (made == recorded || made < 0) return made;
  os::call(SYS_close, made);
  return -EBADF;
}

/// Whether a message that was received has open descriptors in it.
bool brings_descriptors(msghdr* message) {
  if (!message || !message->msg_control) return false;
  for (cmsghdr* part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) return true;
  }
  return false;
}

}  // namespace

Traffic Traffic::of_message(msghdr* message, std::size_t done) {
  return {.parts = message->msg_iov,
          .count = message->msg_iovlen,
          .done = done,
          .name_room = message->msg_name ? message->msg_namelen : 0,
          .message = message,
          .control_room = message->msg_control ? message->msg_controllen : 0};
}

void record_traffic(const Thread& self, Operation operation, int descriptor, long result,
                    const Traffic& traffic) {
  Inputs& inputs = runtime().inputs();
  InputCall call = call_of(operation, descriptor);
  StreamNode* stream = stream_at(self, descriptor);
  if (stream) call.stream = inputs.number_of(self, *stream, descriptor);
  if (call.kind == InputKind::kSent) {
    // Also a hash of all that was sent on this stream: under another schedule the program may send
    // it in other portions.
    SentHash all;
    if (stream && result > 0) {
      for_each_piece(traffic, static_cast<std::size_t>(result),
                     [&](const char* bytes, std::size_t size) { stream->sent.add(bytes, size); });
    }
    if (stream) all = stream->sent;
    const std::uint64_t sum = all.value();
    inputs.begin(self, call, result, sizeof(sum), hash_of(traffic, result));
    inputs.add(&sum, sizeof(sum));
    return inputs.end();
  }
  const bool receives = result >= 0;
  const MessageHead head = receives && has_head(traffic) ? head_of(traffic) : MessageHead{};
  const std::size_t bytes = receives ? for_each_piece(traffic, static_cast<std::size_t>(result),
                                                      [](char*, std::size_t) {})
                                     : 0;
  const bool is_message = receives && has_head(traffic);
  call.call = bits_of(operation, traffic, is_message);
  inputs.begin(self, call, result,
               (is_message ? sizeof(head) + head.name_bytes + head.control_bytes : 0) + bytes);
  if (is_message) {
    inputs.add(&head, sizeof(head));
    const msghdr* message = traffic.message;
    inputs.add(message ? message->msg_name : traffic.name, head.name_bytes);
    if (message) inputs.add(message->msg_control, head.control_bytes);
  }
  for_each_piece(traffic, bytes,
                 [&](const char* piece, std::size_t size) { inputs.add(piece, size); });
  inputs.end();
  if (is_message && brings_descriptors(traffic.message)) {
    inputs.give_up(self, "a message brought descriptors, and what they are cannot be recorded");
  }
  if (operation == Operation::kAccept && result >= 0 && stream) {
    runtime().streams().record_accepted(static_cast<int>(result), self, *stream);
  }
}

void take_recorded_signals(Thread& self) {
  if (!runtime().is_starting()) return;
  if (runtime().inputs().serves()) {
    for (const wire::InputHead* next = runtime().served().next_signal();
         next && next->thread == self.ordinal && !(self.clock < next->clock);
         next = runtime().served().next_signal()) {
      runtime().signals().deliver(static_cast<int>(next->result));
    }
    return;
  }
  while (const int signal = runtime().inputs().signal_now(self)) {
    runtime().signals().deliver(signal);
  }
}

long replay_traffic(Thread& self, Operation operation, int descriptor, const Traffic& traffic) {
  Inputs& inputs = runtime().inputs();
  take_recorded_signals(self);
  RecordedInput input = inputs.take(self, call_of(operation, descriptor));
  const long result = input.result();
  const InputCall call = call_of(operation, descriptor);
  if (call.kind == InputKind::kSent) {
    if (input.asked() != hash_of(traffic, result)) {
      inputs.diverge(self, "the program sends other bytes than in the recorded run",
                     wire::DivergenceKind::kOutput);
    }
    return result;
  }
  if (result < 0) return result;
  bool is_whole = true;
  if (has_head(traffic)) {
    MessageHead head;
    is_whole = input.read(&head, sizeof(head)) && head.name_bytes <= traffic.name_room &&
               head.control_bytes <= traffic.control_room;
    msghdr* message = traffic.message;
    is_whole = is_whole && input.read(message ? message->msg_name : traffic.name, head.name_bytes);
    if (message && is_whole) {
      is_whole = input.read(message->msg_control, head.control_bytes);
      message->msg_namelen = head.name_size;
      message->msg_controllen = head.control_bytes;
      message->msg_flags = head.flags;
    } else if (is_whole) {
      *traffic.name_size = head.name_size;
    }
  }
  if (is_whole) {
    for_each_piece(traffic, input.left(),
                   [&](char* piece, std::size_t size) { is_whole &= input.read(piece, size); });
  }
  if (!is_whole || input.left()) {
    inputs.diverge(self, kOtherRoom);
  }
  if (operation != Operation::kAccept) return result;
  const long made = stand_in_for(descriptor, result, traffic.new_flags);
  if (made != result) {
    inputs.diverge(self, "a connection would get another descriptor than in the recorded run");
  }
  return made;
}

}  // namespace unravel
