#include "base/hash_memory.hpp"

#include <utility>

namespace unravel {

std::uint64_t& HashMemory::slot_of(std::uint64_t hash) {
  // Hashes of runs may be small numbers, as in tests.
  std::size_t at = (hash * 0x9e3779b97f4a7c15) >> 20;
  for (;; ++at) {
    std::uint64_t& slot = slots_[at & (slots_.size() - 1)];
    if (slot == hash || slot == 0) return slot;
  }
}

void HashMemory::grow() {
  const std::vector<std::uint64_t> before =
      std::exchange(slots_, std::vector<std::uint64_t>(2 * slots_.size()));
  for (const std::uint64_t hash : before) {
    if (hash != 0) slot_of(hash) = hash;
  }
}

bool HashMemory::add(std::uint64_t hash) {
  if (hash == 0) return !std::exchange(has_zero_, true);
  std::uint64_t& slot = slot_of(hash);
  if (slot == hash) return false;
  if (size() >= kMost) return true;
  slot = hash;
  ++size_;
  if (size_ > slots_.size() / 4 * 3) grow();
  return true;
}

}  // namespace unravel
