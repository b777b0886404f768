#include "runtime/core/progress.hpp"

namespace unravel {

namespace {

// Rounds without progress before the program's state is compared: a backoff loop gives up within
// tens. Chosen by hand.
constexpr std::uint64_t kRoundsBefore = 1'000;

// Rounds between two comparisons. A state that comes back after n rounds comes back after every
// multiple of n, and this is the least common multiple of 1 to 10.
constexpr std::uint64_t kRoundsBetween = 2'520;

// Time model kFirst: this many rounds without progress were called a livelock.
constexpr std::uint64_t kRoundsOfFirst = 10'000;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

}  // namespace

/// The state outside the program's memory that decides what comes next: what threads are about to
/// do, and the time. A thread that read a clock between two comparisons may go on once the clock
/// shows more.
std::uint64_t Progress::state_of_threads() const {
  std::uint64_t hash = mixed(state_.time.reads(), state_.threads.alive());
  state_.threads.for_each_live([&](const Thread& thread) {
    const std::uint64_t deadline = thread.pending.deadline;
    hash = mixed(hash, thread.ordinal);
    hash = mixed(hash, static_cast<std::uint64_t>(thread.pending.kind));
    hash = mixed(hash, thread.pending.reported_object());
    hash = mixed(hash, reinterpret_cast<std::uint64_t>(thread.pending.site));
    hash = mixed(hash, deadline == kNever ? kNever : deadline - state_.time.now());
    hash = mixed(hash, thread.signals.pending);
    hash = mixed(hash, thread.signals.mask);
    hash = mixed(hash, (state_.runnable.contains(thread) ? 1u : 0u) | (thread.waiting ? 2u : 0u) |
                           (thread.cancel.pending ? 4u : 0u));
  });
  return hash;
}

// A livelock is proved, not guessed: the whole program is in the state that it had some rounds ago,
// so the same rounds repeat for ever. Where something outside may change that, there is no proof.
void Progress::check_for_livelock(Thread& self, Leave leave) {
  if (deadlines_.has_timer()) return;
  if (state_.time.is_first_model()) {
    if (fruitless_ > kRoundsOfFirst * state_.threads.alive()) endings_.livelock(self);
    return;
  }
  if (leave == Leave::kMayStay || fruitless_ < kRoundsBefore * state_.threads.alive() ||
      state_.host.has_outside() || state_.host.lacks_input(nullptr))
    return;
  // Which hooks are inspected depends on how the run is made, so only operations count.
  if (wire::traits(self.pending.kind).counts != wire::Counts::kOperation) return;
  if (rounds_.counted && rounds_.thread != self.ordinal) return;
  if (!rounds_.counted) {
    rounds_ = {.counted = true, .thread = self.ordinal, .turns = 0, .length = kRoundsBetween};
    static_cast<void>(state_.host.is_as_before(state_of_threads(), /*first=*/true));
    return;
  }
  if (++rounds_.turns < rounds_.length) return;
  if (state_.host.is_as_before(state_of_threads(), /*first=*/false)) endings_.livelock(self);
  rounds_.turns = 0;
  rounds_.length *= 2;
}

}  // namespace unravel
