#include "predict/locksets.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.hpp"

namespace unravel {

Locksets::Id Locksets::id_of(Set set) {
  const auto [found, added] = ids_.try_emplace(std::move(set), static_cast<Id>(sets_.size()));
  if (added) sets_.push_back(found->first);
  return found->second;
}

Locksets::Id Locksets::with(Id set, std::uint32_t lock, LockMode mode) {
  Id& known = with_[mode == LockMode::kWrite ? 1 : 0][key(set, lock)];
  if (known == 0) {
    Set larger = sets_[set];
    std::erase_if(larger, [&](const Held& held) { return held.lock == lock; });
    const Held added{lock, mode};
    larger.insert(std::lower_bound(larger.begin(), larger.end(), added), added);
    known = id_of(std::move(larger)) + 1;
  }
  return known - 1;
}

Locksets::Id Locksets::without(Id set, std::uint32_t lock) {
  Id& known = without_[key(set, lock)];
  if (known == 0) {
    Set smaller = sets_[set];
    std::erase_if(smaller, [&](const Held& held) { return held.lock == lock; });
    known = id_of(std::move(smaller)) + 1;
  }
  return known - 1;
}

Locksets::Id Locksets::both(Id one, Id other) {
  if (one == other) return one;
  if (one == kEmpty || other == kEmpty) return kEmpty;
  Id& known = both_[key(std::min(one, other), std::max(one, other))];
  if (known == 0) known = work_out_both(sets_[one], sets_[other]) + 1;
  return known - 1;
}

Locksets::Id Locksets::work_out_both(const Set& one, const Set& other) {
  Set common;
  for (const Held& held : one) {
    for (const Held& also : other) {
      if (held.lock == also.lock) common.push_back({held.lock, std::min(held.mode, also.mode)});
    }
  }
  return id_of(std::move(common));
}

bool Locksets::exclude(Id one, Id other) {
  if (one == kEmpty || other == kEmpty) return false;
  std::uint8_t& known = exclude_[key(std::min(one, other), std::max(one, other))];
  if (known == 0) known = work_out_exclude(sets_[one], sets_[other]) ? 2 : 1;
  return known == 2;
}

bool Locksets::work_out_exclude(const Set& one, const Set& other) const {
  return std::any_of(one.begin(), one.end(), [&](const Held& held) {
    return std::any_of(other.begin(), other.end(), [&](const Held& also) {
      return held.lock == also.lock &&
             (held.mode == LockMode::kWrite || also.mode == LockMode::kWrite);
    });
  });
}

}  // namespace unravel
