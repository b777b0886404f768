/// What a call on a descriptor sends or receives, for the record of inputs.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include "runtime/process/inputs.hpp"

namespace unravel {

inline constexpr char kOtherRoom[] =
    "the program has other room for input than in the recorded run";

/// The buffers of one step of a call.
struct Traffic {
  const iovec* parts = nullptr;
  std::size_t count = 0;
  std::size_t done = 0;  // their bytes that earlier steps of the call have used
  // The address of the other end, and how much room there is for it.
  sockaddr* name = nullptr;
  socklen_t* name_size = nullptr;
  socklen_t name_room = 0;
  // Has an address, too, and other data about the message.
  msghdr* message = nullptr;
  std::size_t control_room = 0;
  int new_flags = 0;       // of the descriptor that the call makes
  bool peeks = false;      // what it receives stays there for the next call
  bool is_silent = false;  // a lost reader raises no signal

  static Traffic of_message(msghdr* message, std::size_t done);
};

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

/// One buffer as Traffic.
class SingleTraffic {
 public:
  SingleTraffic(const void* bytes, std::size_t size, std::size_t done = 0)
      : part_{.iov_base = const_cast<void*>(bytes), .iov_len = size},
        traffic_{.parts = &part_, .count = 1, .done = done} {}
  SingleTraffic(const SingleTraffic&) = delete;
  SingleTraffic& operator=(const SingleTraffic&) = delete;
  Traffic& operator*() { return traffic_; }
  Traffic* operator->() { return &traffic_; }

 private:
  iovec part_;
  Traffic traffic_;
};

/// Records the answer of a call on a descriptor whose other end is outside.
void record_traffic(const Thread& self, wire::Operation operation, int descriptor, long result,
                    const Traffic& traffic);

/// Before the first thread no schedule says when signals came, but the record does.
void take_recorded_signals(Thread& self);

/// Gives the recorded answer, and fills the buffers with what was received.
long replay_traffic(Thread& self, wire::Operation operation, int descriptor,
                    const Traffic& traffic);

}  // namespace unravel
