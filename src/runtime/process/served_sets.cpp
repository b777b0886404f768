#include "runtime/process/served_sets.hpp"

#include <errno.h>

namespace unravel {

ServedSets::Member* ServedSets::find(int set, int descriptor) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (members_[i].set == set && members_[i].descriptor == descriptor) return &members_[i];
  }
  return nullptr;
}

bool ServedSets::has(int set) const {
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (members_[i].set == set) return true;
  }
  return false;
}

/// The others keep their order, in which they are told.
void ServedSets::remove(Member& member) {
  --count_;
  for (Member* at = &member; at < members_ + count_; ++at) *at = at[1];
}

long ServedSets::change(int set, int what, int descriptor, const epoll_event* event) {
  Member* known = find(set, descriptor);
  if (what == EPOLL_CTL_DEL) {
    if (!known) return -ENOENT;
    remove(*known);
    return 0;
  }
  if (!event) return -EFAULT;
  if (what == EPOLL_CTL_ADD) {
    if (known) return -EEXIST;
    if (!members_) members_ = arena_.take_array<Member>(kMost);
    if (count_ == kMost) return -ENOSPC;
    known = &members_[count_++];
  } else if (!known) {
    return -ENOENT;
  }
  *known = Member{.set = set, .descriptor = descriptor, .event = *event};
  return 0;
}

void ServedSets::forget(int descriptor) {
  for (std::uint32_t i = 0; i < count_;) {
    const bool is_gone = members_[i].set == descriptor || members_[i].descriptor == descriptor;
    if (is_gone) {
      remove(members_[i]);
    } else {
      ++i;
    }
  }
}

}  // namespace unravel
