#include "predict/threads.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/assert.hpp"

namespace unravel {
namespace {

// The computation costs threads times slots: with a hundred of each some microseconds, every few
// thousand releases. Chosen by hand.
constexpr std::uint64_t kAdvancesUntilStale = 4096;

}  // namespace

TracedThread& Threads::find_or_adopt(std::uint32_t ordinal) {
  const std::unique_ptr<TracedThread>* const found = threads_.find(ordinal);
  if (found) {
    last_ = found->get();
  } else {
    last_ = &add(ordinal, {});
    known_to_all_.clear();  // the new thread knows nothing
    known_since_ = advances_;
  }
  return *last_;
}

TracedThread& Threads::add(std::uint32_t ordinal, const VectorClock& knows) {
  auto thread = std::make_unique<TracedThread>();
  thread->ordinal = ordinal;
  thread->clock = knows;
  const auto reusable = std::find_if(retired_.begin(), retired_.end(), [&](const Retired& one) {
    return knows.of(one.slot) >= one.last;
  });
  if (reusable != retired_.end()) {
    thread->slot = reusable->slot;
    thread->epoch = reusable->last + 1;
    *reusable = retired_.back();
    retired_.pop_back();
  } else {
    UNRAVEL_ASSERT(owners_.size() < kMostSlots, "a trace has too many threads that nobody joins");
    thread->slot = static_cast<Slot>(owners_.size());
    owners_.emplace_back();
  }
  thread->clock.set(thread->slot, thread->epoch);
  owners_[thread->slot].push_back({thread->epoch, ordinal});
  return *(threads_[ordinal] = std::move(thread));
}

void Threads::create(TracedThread& creator, std::uint32_t ordinal) {
  if (const std::unique_ptr<TracedThread>* const early = threads_.find(ordinal)) {
    (*early)->clock.join(creator.clock);
  } else {
    add(ordinal, creator.clock);
  }
  advance(creator);
}

void Threads::end(TracedThread& thread) {
  if (thread.ended) return;
  thread.ended = true;
  retired_.push_back({thread.slot, thread.epoch});
}

void Threads::join(TracedThread& joiner, std::uint32_t ordinal) {
  const std::unique_ptr<TracedThread>* const joined = threads_.find(ordinal);
  if (!joined || joined->get() == &joiner) return;
  end(**joined);
  joiner.clock.join((*joined)->clock);
  if (last_ == joined->get()) last_ = nullptr;
  threads_.erase(ordinal);
}

void Threads::advance(TracedThread& thread) {
  UNRAVEL_ASSERT(thread.epoch < std::numeric_limits<Epoch>::max() - 1,
                 "a thread ran out of epochs");
  thread.clock.set(thread.slot, ++thread.epoch);
  ++advances_;
}

std::uint32_t Threads::ordinal_of(Slot slot, Epoch epoch) const {
  const std::vector<Ownership>& owners = owners_[slot];
  const auto after = std::upper_bound(
      owners.begin(), owners.end(), epoch,
      [](Epoch wanted, const Ownership& ownership) { return wanted < ownership.since; });
  UNRAVEL_ASSERT(after != owners.begin(), "an epoch is older than its slot");
  return std::prev(after)->ordinal;
}

const VectorClock& Threads::known_to_all() {
  if (advances_ - known_since_ < kAdvancesUntilStale) return known_to_all_;
  known_since_ = advances_;
  bool first = true;
  threads_.for_each([&](std::uint64_t, const std::unique_ptr<TracedThread>& thread) {
    if (thread->ended) return;
    if (first) {
      known_to_all_ = thread->clock;
    } else {
      known_to_all_.meet(thread->clock);
    }
    first = false;
  });
  return known_to_all_;
}

}  // namespace unravel
