/// The scheduler's part in livelocks: rounds of fair round-robin in which nobody gets anywhere.
#include "runtime/core/scheduler.hpp"

namespace unravel {

namespace {

// Rounds without progress before the program's state is worth a look. A backoff loop gives up
// within tens.
constexpr std::uint64_t kRoundsBefore = 1'000;

// Rounds between two looks. A state that comes back after n rounds comes back after every multiple
// of n, and this is the least common multiple of 1 to 10.
constexpr std::uint64_t kRoundsBetween = 2'520;

// The first model's: so many rounds without progress were called a livelock.
constexpr std::uint64_t kRoundsOfFirst = 10'000;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

}  // namespace

/// What decides what comes next and is not in the program's memory: what threads are about to do,
/// and the time. Whoever read a clock between two looks may go on when it shows more.
std::uint64_t Scheduler::state_of_threads() const {
  std::uint64_t hash = mixed(time_.reads(), alive_);
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    const Thread& thread = *by_slot_[slot];
    if (!thread.in_use || thread.ended) continue;
    const std::uint64_t deadline = thread.pending.deadline;
    hash = mixed(hash, thread.ordinal);
    hash = mixed(hash, static_cast<std::uint64_t>(thread.pending.kind));
    hash = mixed(hash, thread.pending.reported_object());
    hash = mixed(hash, reinterpret_cast<std::uint64_t>(thread.pending.site));
    hash = mixed(hash, deadline == kNever ? kNever : deadline - time_.now());
    hash = mixed(hash, thread.signals.pending);
    hash = mixed(hash, thread.signals.mask);
    hash = mixed(hash, (runnable_.contains(slot) ? 1u : 0u) | (thread.waiting ? 2u : 0u) |
                           (thread.cancel.pending ? 4u : 0u));
  }
  return hash;
}

/// A livelock is proved, not guessed: all of the program is as it was some rounds ago, so the same
/// rounds will come again for ever. Where something outside has a say, nothing is proved.
void Scheduler::check_for_livelock(Thread& self, Leave leave) {
  if (timer_ != kNever) return;
  if (time_.is_first_model()) {
    if (fruitless_ > kRoundsOfFirst * alive_) livelock(self);
    return;
  }
  if (leave == Leave::kMayStay || fruitless_ < kRoundsBefore * alive_ || host_.has_outside())
    return;
  // Which hooks are looked at depends on how the run is made: only operations count.
  if (wire::traits(self.pending.kind).counts != wire::Counts::kOperation) return;
  if (rounds_.counted && rounds_.thread != self.ordinal) return;
  if (!rounds_.counted) {
    rounds_ = {.counted = true, .thread = self.ordinal, .turns = 0, .length = kRoundsBetween};
    static_cast<void>(host_.is_as_before(state_of_threads(), /*first=*/true));
    return;
  }
  if (++rounds_.turns < rounds_.length) return;
  if (host_.is_as_before(state_of_threads(), /*first=*/false)) livelock(self);
  rounds_.turns = 0;
  rounds_.length *= 2;
}

}  // namespace unravel
