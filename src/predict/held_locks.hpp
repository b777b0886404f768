/// The locks that a thread holds. For a recursive lock only the outermost pair counts: inner ones
/// do not wait for a thread and do not release the lock.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace unravel {

enum class LockMode : std::uint8_t { kRead, kWrite };

class HeldLocks {
 public:
  /// Returns whether the lock was not held before.
  bool acquired(std::uint64_t object, LockMode mode) {
    Held* const held = find(object);
    if (!held) {
      held_.push_back({object, mode, 1, 0});
      return true;
    }
    if (held->depth == 0) {  // back from a wait: as deep as before the wait
      held->depth = held->given_up;
      held->given_up = 0;
      held->mode = mode;
      return true;
    }
    ++held->depth;
    return false;
  }

  /// Returns the mode if the lock is no longer held. A lock that is not known was taken before the
  /// trace began; it counts as held for writing.
  std::optional<LockMode> released(std::uint64_t object) {
    Held* const held = find(object);
    if (!held || held->depth == 0) return LockMode::kWrite;
    if (--held->depth != 0) return std::nullopt;
    const LockMode mode = held->mode;
    drop(*held);
    return mode;
  }

  /// A wait releases the lock, however often it was locked. The next acquired() restores the depth.
  void gave_up(std::uint64_t object) {
    Held* const held = find(object);
    if (!held) return;
    held->given_up = std::max(held->depth, held->given_up);
    held->depth = 0;
  }

  void forget(std::uint64_t object) {
    if (Held* const held = find(object)) drop(*held);
  }

  /// Calls visit(object, mode) for all held locks, except during a wait.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Held& held : held_) {
      if (held.depth != 0) visit(held.object, held.mode);
    }
  }

 private:
  struct Held {
    std::uint64_t object;
    LockMode mode;
    std::uint32_t depth;     // 0 while a wait has released it
    std::uint32_t given_up;  // its depth before the wait
  };

  // Threads hold few locks at a time, and release the newest first.
  Held* find(std::uint64_t object) {
    for (std::size_t i = held_.size(); i-- > 0;) {
      if (held_[i].object == object) return &held_[i];
    }
    return nullptr;
  }

  void drop(Held& held) {
    held = held_.back();
    held_.pop_back();
  }

  std::vector<Held> held_;
};

}  // namespace unravel
