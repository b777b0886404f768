#include "predict/access_union.hpp"

#include <algorithm>

#include "base/hash.hpp"

namespace unravel {

namespace {

/// A number that the same place has in every run.
std::uint64_t number_of(const MemoryPlace& place, const RunAccesses& run,
                        std::span<const wire::Site> sites) {
  if (place.block == 0) return hash_of(place.offset);
  const RunAccesses::Block& block = run.blocks()[place.block];
  return hash_of(place.offset, sites[block.site].packed, block.thread, block.nth);
}

/// Whether `access` may meet an access of this thread in some run.
bool may_meet(ThreadBits meets, ThreadBits known, std::uint32_t thread) {
  return (meets | ~known) & thread_bit(thread);
}

}  // namespace

std::vector<AccessUnion::SiteConflict> AccessUnion::add(const RunAccesses& run,
                                                        std::span<const wire::Site> sites) {
  std::unordered_map<std::uint32_t, Locksets::Id> locksets;
  for (const auto& [id, locks] : run.locksets()) locksets[id] = lockset_of(locks, run, sites);
  run.for_each([&](const RunAccesses::Access& access, ThreadBits meets) {
    const wire::Site site = sites[access.id.site()];
    if (site == wire::Site{}) return;
    merge(number_of(access.place, run, sites), {.site = site,
                                                .lockset = locksets[access.lockset],
                                                .thread = access.thread,
                                                .kind = access.id.kind(),
                                                .bytes = access.id.bytes(),
                                                .meets = meets,
                                                .known = run.threads()});
  });
  std::vector<SiteConflict> found;
  for (const std::uint64_t place : changed_) compare(by_place_[place], found);
  changed_.clear();
  return found;
}

Locksets::Id AccessUnion::lockset_of(const std::vector<RunAccesses::Lock>& locks,
                                     const RunAccesses& run, std::span<const wire::Site> sites) {
  Locksets::Id set = Locksets::kEmpty;
  for (const RunAccesses::Lock& lock : locks) {
    const auto next = static_cast<std::uint32_t>(lock_numbers_.size());
    const auto number = lock_numbers_.try_emplace(number_of(lock.place, run, sites), next).first;
    set = locksets_.with(set, number->second, lock.mode);
  }
  return set;
}

void AccessUnion::merge(std::uint64_t place, const Access& access) {
  std::vector<Access>& accesses = by_place_[place];
  const bool was_changed = std::any_of(accesses.begin(), accesses.end(),
                                       [](const Access& one) { return one.has_changed; });
  const auto same = [&](const Access& known) {
    return known.site == access.site && known.thread == access.thread &&
           known.kind == access.kind && known.lockset == access.lockset;
  };
  auto known = std::find_if(accesses.begin(), accesses.end(), same);
  if (known == accesses.end()) {
    if (accesses.size() == kMostOfGranule || count_ == kMost) return;
    ++count_;
    accesses.push_back(access);
    known = std::prev(accesses.end());
    known->has_changed = true;
  } else {
    known->has_changed |= (access.meets & ~known->meets) || (access.bytes & ~known->bytes);
    known->meets |= access.meets;
    known->known |= access.known;
    known->bytes |= access.bytes;
  }
  if (known->has_changed && !was_changed) changed_.push_back(place);
}

bool AccessUnion::conflict_with(const Access& one, const Access& other) {
  const bool is_one_thread = one.thread == other.thread;
  if (is_one_thread || !conflict(one.kind, other.kind) || !(one.bytes & other.bytes)) return false;
  return may_meet(one.meets, one.known, other.thread) &&
         may_meet(other.meets, other.known, one.thread) &&
         !locksets_.exclude(one.lockset, other.lockset);
}

void AccessUnion::compare(std::vector<Access>& accesses, std::vector<SiteConflict>& found) {
  for (const Access& one : accesses) {
    if (!one.has_changed) continue;
    for (const Access& other : accesses) {
      if (conflicts_.size() == kMostConflicts) return;
      if (!conflict_with(one, other)) continue;
      const auto sites = std::minmax(one.site.packed, other.site.packed);
      if (conflicts_.insert(sites).second) found.emplace_back(one.site, other.site);
    }
  }
  for (Access& access : accesses) access.has_changed = false;
}

}  // namespace unravel
