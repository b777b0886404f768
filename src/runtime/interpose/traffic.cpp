#include "runtime/interpose/traffic.hpp"

#include "runtime/interpose/socket.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

using wire::InputKind;
using wire::Operation;

namespace {

/// What a message has beside its bytes.
struct MessageHead {
  std::uint32_t name_size = 0;   // as the kernel told it
  std::uint32_t name_bytes = 0;  // those that there was room for
  std::uint32_t control_bytes = 0;
  std::int32_t flags = 0;
};

InputCall call_of(Operation operation, int descriptor) {
  const bool sends = operation == Operation::kWrite || operation == Operation::kSendMessage;
  return {.kind = sends ? InputKind::kSent : InputKind::kReceived,
          .operation = operation,
          .descriptor = descriptor};
}

bool has_head(const Traffic& traffic) {
  return traffic.message || (traffic.name && traffic.name_size);
}

/// Calls `use(bytes, size)` for each piece of the next `size` bytes of the buffers. Returns how
/// many of them there were.
template <class Use>
std::size_t for_each_piece(const Traffic& traffic, std::size_t size, Use use) {
  std::size_t skip = traffic.done;
  std::size_t used = 0;
  for (std::size_t i = 0; i < traffic.count && used < size; ++i) {
    const std::size_t length = traffic.parts[i].iov_len;
    const std::size_t skipped = skip < length ? skip : length;
    skip -= skipped;
    const std::size_t rest = length - skipped;
    const std::size_t here = rest < size - used ? rest : size - used;
    if (here) use(static_cast<char*>(traffic.parts[i].iov_base) + skipped, here);
    used += here;
  }
  return used;
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
  const InputCall call = call_of(operation, descriptor);
  if (call.kind == InputKind::kSent) {
    inputs.begin(self, call, result, 0, hash_of(traffic, result));
    return inputs.end();
  }
  const bool receives = result >= 0;
  const MessageHead head = receives && has_head(traffic) ? head_of(traffic) : MessageHead{};
  const std::size_t bytes = receives ? for_each_piece(traffic, static_cast<std::size_t>(result),
                                                      [](char*, std::size_t) {})
                                     : 0;
  const bool is_message = receives && has_head(traffic);
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
}

void take_recorded_signals(Thread& self) {
  if (!runtime().is_starting()) return;
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
