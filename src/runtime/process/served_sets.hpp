/// Which served streams an epoll descriptor waits for. The kernel knows nothing of what is served,
/// so these are not in its own set.
#pragma once

#include <sys/epoll.h>

#include <cstdint>

#include "runtime/core/object_table.hpp"

namespace unravel {

/// What a served stream shows to those who wait for it.
struct Shown {
  std::uint32_t events = 0;   // of EPOLLIN and its kin
  std::uint64_t arrival = 0;  // another number for every arrival
};

class ServedSets {
 public:
  explicit ServedSets(Arena& arena) : arena_(arena) {}

  /// Like epoll_ctl() on a served stream. Answers like a system call.
  long change(int set, int what, int descriptor, const epoll_event* event);
  /// A descriptor was closed.
  void forget(int descriptor);
  [[nodiscard]] bool has(int set) const;
  [[nodiscard]] bool has(int set, int descriptor) const { return find(set, descriptor) != nullptr; }

  /// Calls `look(descriptor)` for what a stream shows. Whether one of the set is ready.
  template <class Probe>
  bool is_ready(int set, Probe look) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (members_[i].set == set && events_of(members_[i], look(members_[i].descriptor)))
        return true;
    }
    return false;
  }

  /// Fills in at most `most` events of those that are ready. Returns how many.
  template <class Probe>
  int collect(int set, epoll_event* events, int most, Probe look) {
    int filled = 0;
    for (std::uint32_t i = 0; i < count_ && filled < most; ++i) {
      Member& member = members_[i];
      if (member.set != set) continue;
      const Shown shown = look(member.descriptor);
      const std::uint32_t ready = events_of(member, shown);
      if (!ready) continue;
      events[filled].events = ready;
      events[filled++].data = member.event.data;
      member.seen = shown.arrival;
      if (member.event.events & EPOLLONESHOT) member.is_off = true;
    }
    return filled;
  }

 private:
  struct Member {
    int set = -1;
    int descriptor = -1;
    epoll_event event{};
    std::uint64_t seen = 0;  // with EPOLLET: the last arrival that was told
    bool is_off = false;     // with EPOLLONESHOT: it was told
  };
  static constexpr std::uint32_t kMost = 1u << 16;

  static std::uint32_t events_of(const Member& member, const Shown& shown) {
    if (member.is_off) return 0;
    if ((member.event.events & EPOLLET) && member.seen == shown.arrival) return 0;
    return shown.events & (member.event.events | EPOLLERR | EPOLLHUP);
  }
  [[nodiscard]] Member* find(int set, int descriptor) const;
  void remove(Member& member);

  Arena& arena_;
  Member* members_ = nullptr;
  std::uint32_t count_ = 0;
};

}  // namespace unravel
