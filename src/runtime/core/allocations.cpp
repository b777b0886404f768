#include "runtime/core/allocations.hpp"

namespace unravel {

namespace {

constexpr std::uint32_t kFirstCapacity = 1024;  // always a power of two

}  // namespace

/// The place of this address, or the free place where it would go.
std::uint32_t* Allocations::place_of(std::uint64_t address) const {
  const std::uint32_t mask = 2 * capacity_ - 1;
  // Blocks are multiples of 16 apart.
  std::uint64_t hash = (address >> 4) * 0x9e3779b97f4a7c15;
  for (auto i = static_cast<std::uint32_t>(hash >> 32) & mask;; i = (i + 1) & mask) {
    if (places_[i] == 0 || entries_[places_[i] - 1].address == address) return &places_[i];
  }
}

void Allocations::add(const Allocation& allocation) {
  remove(allocation.address);  // it was freed by code that we do not see
  if (count_ == capacity_) make_room();
  entries_[count_] = allocation;
  *place_of(allocation.address) = ++count_;
  ++live_;
}

void Allocations::remove(std::uint64_t address) {
  if (!capacity_) return;
  const std::uint32_t place = *place_of(address);
  if (!place) return;
  entries_[place - 1].address = 0;
  --live_;
}

/// Drops freed entries; takes more room only if that is not enough.
void Allocations::make_room() {
  const Allocation* old = entries_;
  if (2 * live_ >= capacity_) {
    capacity_ = capacity_ ? 2 * capacity_ : kFirstCapacity;
    entries_ = arena_.take_array<Allocation>(capacity_);
    places_ = arena_.take_array<std::uint32_t>(2 * std::size_t{capacity_});
  } else {
    for (std::size_t i = 0; i < 2 * std::size_t{capacity_}; ++i) places_[i] = 0;
  }
  const std::uint32_t count = count_;
  count_ = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!old[i].address) continue;
    const Allocation kept = old[i];
    entries_[count_] = kept;
    *place_of(kept.address) = ++count_;
  }
}

}  // namespace unravel
