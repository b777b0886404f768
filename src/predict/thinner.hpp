/// Of things that differ only in when they happened, keeps the first ones and the last one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace unravel {

class Thinner {
 public:
  explicit Thinner(std::uint32_t most) : most_(most), slots_(kFirstCapacity) {}

  /// Forgets what it has seen.
  void clear() {
    ++generation_;
    count_ = 0;
  }

  /// The last thing with this hash if one more would take its place; null: it would be added.
  template <class Thing>
  Thing* last_of(std::uint64_t hash, std::vector<Thing>& things) {
    const Slot& slot = find(hash);
    return slot.count < most_ ? nullptr : &things[slot.place];
  }

  /// Adds the thing, or puts it in the place of the last one with the same hash.
  template <class Thing>
  void add(std::uint64_t hash, std::type_identity_t<Thing> thing, std::vector<Thing>& things) {
    Slot& slot = find(hash);
    if (slot.count < most_) {
      ++slot.count;
      slot.place = things.size();
      things.push_back(std::move(thing));
    } else {
      things[slot.place] = std::move(thing);
    }
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::size_t place = 0;
    std::uint32_t count = 0;
    std::uint32_t generation = 0;
  };

  static constexpr std::size_t kFirstCapacity = 64;  // a power of two

  Slot& find(std::uint64_t hash) {
    if (2 * count_ >= slots_.size()) grow();
    Slot& slot = slot_of(hash);
    if (slot.generation != generation_) {
      slot = {.hash = hash, .generation = generation_};
      ++count_;
    }
    return slot;
  }

  /// The one of this hash, or a free one.
  Slot& slot_of(std::uint64_t hash) {
    std::size_t i = hash & (slots_.size() - 1);
    while (slots_[i].generation == generation_ && slots_[i].hash != hash) {
      i = (i + 1) & (slots_.size() - 1);
    }
    return slots_[i];
  }

  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old) {
      if (slot.generation == generation_) slot_of(slot.hash) = slot;
    }
  }

  const std::uint32_t most_;
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace unravel
