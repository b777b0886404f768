/// Vector clocks: how much is known of each thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace unravel {

/// A thread's index in vector clocks. Slots are reused, see threads.hpp.
using Slot = std::uint32_t;

/// All actions of a thread between two releases have one epoch. 0 is before everything.
using Epoch = std::uint32_t;

class VectorClock {
 public:
  [[nodiscard]] Epoch of(Slot slot) const { return slot < epochs_.size() ? epochs_[slot] : 0; }

  void set(Slot slot, Epoch epoch) {
    if (slot >= epochs_.size()) epochs_.resize(slot + 1);
    epochs_[slot] = epoch;
  }

  /// Afterwards everything that `other` knows is known here, too.
  void join(const VectorClock& other) {
    if (epochs_.size() < other.epochs_.size()) epochs_.resize(other.epochs_.size());
    const std::size_t count = other.epochs_.size();
    Epoch* const mine = epochs_.data();
    const Epoch* const theirs = other.epochs_.data();
    for (std::size_t i = 0; i < count; ++i) mine[i] = std::max(mine[i], theirs[i]);
  }

  /// Keeps what both know.
  void meet(const VectorClock& other) {
    epochs_.resize(std::min(epochs_.size(), other.epochs_.size()));
    for (std::size_t i = 0; i < epochs_.size(); ++i) {
      epochs_[i] = std::min(epochs_[i], other.epochs_[i]);
    }
  }

  [[nodiscard]] bool empty() const { return epochs_.empty(); }
  void clear() { epochs_.clear(); }

 private:
  std::vector<Epoch> epochs_;
};

}  // namespace unravel
