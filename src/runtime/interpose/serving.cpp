#include "runtime/interpose/serving.hpp"

#include <errno.h>

#include <cstring>

#include "runtime/interpose/socket.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

using wire::InputHead;
using wire::MessageHead;
using wire::Operation;

namespace {

// As StreamNode::served: looked for, and not in the record.
constexpr std::uint32_t kNotThere = ~0u;

bool stat_of(int descriptor, struct stat* status) {
  return os::call(SYS_fstat, descriptor, os::as_argument(status)) == 0;
}

/// The stream at a descriptor, with what it is served from.
StreamNode& node_at(const Thread& self, int descriptor, const struct stat& status) {
  StreamNode& node = runtime().streams().at(descriptor, status, self);
  if (node.served == 0) {
    const std::uint32_t claimed = runtime().served().claim(node.origin);
    node.served = claimed ? claimed : kNotThere;
  }
  return node;
}

bool is_listener(std::uint32_t index) {
  Served& served = runtime().served();
  const wire::ServedStream& row = served.stream(index);
  return row.origin.is_socket && served.state(index).next_input < row.inputs.count &&
         served.input(index).operation == Operation::kAccept;
}

/// What the stream shows to those who wait for it.
Shown shown_by(const Thread& self, int descriptor, const struct stat& status) {
  const StreamNode& node = node_at(self, descriptor, status);
  if (node.served == kNotThere) return {};
  Served& served = runtime().served();
  const std::uint32_t index = node.served - 1;
  const bool is_socket = served.stream(index).origin.is_socket;
  Shown shown;
  // Another number for every input that is offered, and for none.
  shown.arrival = 1;
  switch (served.offer(index)) {
    case Offer::kNothing: break;
    case Offer::kEnd:
      shown.events = is_socket ? EPOLLIN | EPOLLRDNORM | EPOLLRDHUP : EPOLLHUP;
      shown.arrival += served.state(index).next_input + std::uint64_t{1};
      break;
    case Offer::kInput:
      shown.events = EPOLLIN | EPOLLRDNORM;
      if (served.input(index).result < 0) shown.events |= EPOLLERR;
      shown.arrival += served.state(index).next_input + std::uint64_t{1};
      break;
  }
  if (!is_listener(index)) shown.events |= EPOLLOUT | EPOLLWRNORM;
  return shown;
}

Shown shown_by(const Thread& self, int descriptor) {
  struct stat status {};
  return stat_of(descriptor, &status) ? shown_by(self, descriptor, status) : Shown{};
}

short events_of(const Thread& self, const pollfd& wish) {
  // The numbers of both calls are the same.
  static_assert(POLLIN == EPOLLIN && POLLOUT == EPOLLOUT && POLLHUP == EPOLLHUP &&
                POLLERR == EPOLLERR);
  const std::uint32_t wanted = static_cast<unsigned short>(wish.events) | POLLERR | POLLHUP;
  return static_cast<short>(shown_by(self, wish.fd).events & wanted);
}

bool is_ready_set(const Thread& self, const pollfd& wish) {
  ServedSets& sets = runtime().served_sets();
  return (wish.events & POLLIN) && sets.has(wish.fd) &&
         sets.is_ready(wish.fd, [&](int member) { return shown_by(self, member); });
}

}  // namespace

bool is_served(const Thread& self, int descriptor, const struct stat& status) {
  if (!runtime().inputs().serves() || runtime().outsiders().is_inside(descriptor, status) ||
      !Streams::is_stream(descriptor, status)) {
    return false;
  }
  const StreamNode& node = node_at(self, descriptor, status);
  return node.served == kNotThere || !runtime().served().stream(node.served - 1).is_own;
}

bool is_served(const Thread& self, int descriptor) {
  struct stat status {};
  return runtime().inputs().serves() && stat_of(descriptor, &status) &&
         is_served(self, descriptor, status);
}

std::uint32_t served_number(const Thread& self, int descriptor, const struct stat& status) {
  const StreamNode& node = node_at(self, descriptor, status);
  return node.served == kNotThere ? 0 : runtime().served().stream(node.served - 1).number;
}

// --- Readiness -----------------------------------------------------------------------------------

bool is_ready_now(const Thread& self, const pollfd* descriptors, nfds_t count) {
  if (!runtime().inputs().serves()) return is_ready(descriptors, count);
  for (nfds_t i = 0; i < count; ++i) {
    const pollfd& wish = descriptors[i];
    if (wish.fd < 0) continue;
    if (is_served(self, wish.fd)) {
      if (events_of(self, wish)) return true;
    } else if (is_ready_set(self, wish) || is_ready(&wish, 1)) {
      return true;
    }
  }
  return false;
}

long poll_now(const Thread& self, pollfd* descriptors, nfds_t count) {
  long ready = 0;
  for (nfds_t i = 0; i < count; ++i) {
    pollfd& wish = descriptors[i];
    wish.revents = 0;
    if (wish.fd < 0) continue;
    if (is_served(self, wish.fd)) {
      wish.revents = events_of(self, wish);
    } else {
      const timespec at_once{};
      os::call(SYS_ppoll, os::as_argument(&wish), 1, os::as_argument(&at_once), 0, 0);
      if (is_ready_set(self, wish)) wish.revents = static_cast<short>(wish.revents | POLLIN);
    }
    ready += wish.revents != 0;
  }
  return ready;
}

long epoll_now(const Thread& self, int set, epoll_event* events, int most) {
  const int filled = runtime().served_sets().collect(
      set, events, most, [&](int member) { return shown_by(self, member); });
  if (filled == most) return filled;
  const long others =
      os::call(SYS_epoll_wait, set, os::as_argument(events + filled), most - filled, 0);
  return others < 0 ? (filled ? filled : others) : filled + others;
}

long change_served_set(const Thread& self, int set, int what, int descriptor, epoll_event* event) {
  ServedSets& sets = runtime().served_sets();
  static_cast<void>(self);
  // The kernel has it if it was not served when it was added.
  if (what != EPOLL_CTL_ADD && !sets.has(set, descriptor)) {
    return os::call(SYS_epoll_ctl, set, what, descriptor, os::as_argument(event));
  }
  return sets.change(set, what, descriptor, event);
}

// --- Traffic -------------------------------------------------------------------------------------

namespace {

long serve_send(Thread& self, std::uint32_t index, const Traffic& traffic) {
  Served& served = runtime().served();
  if (const long error = served.take_send_error(index)) return error;
  bool is_same = true;
  const std::size_t size =
      for_each_piece(traffic, ~std::size_t{0}, [&](const char* bytes, std::size_t more) {
        is_same = is_same && served.send(index, bytes, more);
      });
  if (!is_same) {
    runtime().inputs().end_unresolved(
        self,
        "the program asked for an input that was not recorded: it sends other bytes to its peer "
        "than in the recorded run");
  }
  return static_cast<long>(size);
}

/// Fills in what a message has beside its bytes. Returns how many bytes of the entry that was.
std::uint64_t serve_message_head(const InputHead& entry, const Traffic& traffic) {
  MessageHead head;
  RecordedInput input(entry);
  const bool has_head = (entry.call & wire::kHasMessage) && input.read(&head, sizeof(head)) &&
                        head.name_bytes <= input.left() &&
                        head.control_bytes <= input.left() - head.name_bytes;
  msghdr* message = traffic.message;
  if (!has_head) {
    if (message) {
      message->msg_namelen = 0;
      message->msg_controllen = 0;
      message->msg_flags = 0;
    } else if (traffic.name && traffic.name_size) {
      *traffic.name_size = 0;
    }
    return 0;
  }
  const auto* name = reinterpret_cast<const std::byte*>(&entry + 1) + sizeof(head);
  const auto copy = [](void* to, std::size_t room, const std::byte* from, std::size_t size) {
    if (to) std::memcpy(to, from, size < room ? size : room);
  };
  if (message) {
    copy(message->msg_name, traffic.name_room, name, head.name_bytes);
    copy(message->msg_control, traffic.control_room, name + head.name_bytes, head.control_bytes);
    message->msg_namelen = head.name_size;
    message->msg_controllen =
        head.control_bytes < traffic.control_room ? head.control_bytes : traffic.control_room;
    message->msg_flags = head.flags;
  } else if (traffic.name && traffic.name_size) {
    copy(traffic.name, traffic.name_room, name, head.name_bytes);
    *traffic.name_size = head.name_size;
  }
  return sizeof(head) + head.name_bytes + head.control_bytes;
}

long serve_read(std::uint32_t index, const Traffic& traffic) {
  Served& served = runtime().served();
  ServedState& state = served.state(index);
  switch (served.offer(index)) {
    case Offer::kNothing: return -EAGAIN;
    case Offer::kEnd: served.give(served.input(index)); return 0;  // for ever
    case Offer::kInput: break;
  }
  const InputHead& entry = served.input(index);
  if (!traffic.peeks) served.give(entry);
  if (entry.result < 0) {
    if (!traffic.peeks) ++state.next_input;
    return static_cast<long>(entry.result);
  }
  const std::uint64_t skipped = serve_message_head(entry, traffic);
  const auto* bytes = reinterpret_cast<const char*>(&entry + 1) + skipped;
  const std::uint64_t size = entry.size - skipped;
  std::uint64_t at = state.used < size ? state.used : size;
  const std::uint64_t before = at;
  for_each_piece(traffic, size - at, [&](char* piece, std::size_t more) {
    std::memcpy(piece, bytes + at, more);
    at += more;
  });
  if (!traffic.peeks) {
    state.used = at;
    // What there is no room for is lost with the message.
    if (at == size || served.stream(index).origin.is_message) {
      state.used = 0;
      ++state.next_input;
    }
  }
  return static_cast<long>(at - before);
}

long serve_accept(Thread& self, StreamNode& listener, int descriptor, const Traffic& traffic) {
  Served& served = runtime().served();
  const std::uint32_t index = listener.served - 1;
  if (served.offer(index) != Offer::kInput) return -EAGAIN;
  const InputHead& entry = served.input(index);
  ++served.state(index).next_input;
  served.give(entry);
  if (entry.result < 0) return static_cast<long>(entry.result);
  const int domain = socket_option(descriptor, SO_DOMAIN);
  const int type = socket_option(descriptor, SO_TYPE);
  const long made = os::call(SYS_socket, domain < 0 ? AF_UNIX : domain,
                             (type < 0 ? SOCK_STREAM : type) | traffic.new_flags, 0);
  if (made < 0) return made;
  serve_message_head(entry, traffic);
  runtime().streams().record_accepted(static_cast<int>(made), self, listener);
  return made;
}

}  // namespace

long serve_traffic(Thread& self, Operation operation, int descriptor, const struct stat& status,
                   const Traffic* traffic) {
  take_recorded_signals(self);
  StreamNode& node = node_at(self, descriptor, status);
  const bool is_known = node.served != kNotThere;
  const bool sends = operation == Operation::kWrite || operation == Operation::kSendMessage;
  if (!is_known && (sends || operation == Operation::kConnect)) {
    runtime().inputs().end_unresolved(
        self, sends ? "the program asked for an input that was not recorded: it sends to a peer "
                      "to which the recorded run sent nothing"
                    : "the program asked for an input that was not recorded: it connects to a "
                      "peer to which the recorded run did not connect");
  }
  if (!is_known) return -EAGAIN;
  if (operation == Operation::kConnect) return runtime().served().take_connect(node.served - 1);
  if (!traffic) {
    runtime().inputs().end_unresolved(
        self,
        "the program asked for an input that was not recorded: a call moves data between "
        "descriptors");
  }
  if (sends) return serve_send(self, node.served - 1, *traffic);
  if (operation == Operation::kAccept) return serve_accept(self, node, descriptor, *traffic);
  return serve_read(node.served - 1, *traffic);
}

void note_nothing_served(Thread& self) {
  Served& served = runtime().served();
  served.lacked();
  if (!served.asks_in_vain()) return;
  runtime().inputs().end_unresolved(
      self,
      "the program asked for an input that was not recorded: it asked again and again, and "
      "nothing more came in the recorded run");
}

}  // namespace unravel
