#include "runtime/core/decide.hpp"

#include <cstddef>

namespace unravel {

namespace {

// Hooks in a row with nothing else between: a loop that waits for another thread makes as many, and
// one that computes loses little by a hand-over now and then.
constexpr std::uint64_t kSpinHooks = 100'000;

}  // namespace

std::uint64_t RuleRandom::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The high half of a 32x32 product: biased by less than 2^-32 * bound, which no search notices.
std::uint32_t RuleRandom::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

Plan::Plan(const wire::Rule& rule) : rule_(rule) { start_rule(); }

Plan::Plan(const wire::ScheduleHeader* header)
    : following_(header->following), complete_(header->complete), rule_(header->then) {
  const auto* next = reinterpret_cast<const std::byte*>(header + 1);
  const auto array = [&next]<class T>(const T*& begin, std::uint64_t& count, std::uint64_t size) {
    begin = reinterpret_cast<const T*>(next);
    count = size;
    next += sizeof(T) * size;
  };
  array(slices_, slice_count_, header->slices);
  array(choices_, choice_count_, header->choices);
  next += sizeof(wire::Constraint) * header->constraints;
  next += sizeof(wire::ClockSwitch) * header->clock_switches;
  array(holds_, hold_count_, header->holds);
  start_rule();
}

void Plan::start_rule() {
  random_ = RuleRandom(rule_.seed);
  // Its own stream: how many threads there are must not change the other draws.
  priorities_ = RuleRandom(rule_.seed ^ 0xa5a5a5a5a5a5a5a5);
  probability_ = rule_.switch_probability;
  if (rule_.kind == wire::RuleKind::kRandom && probability_ == 0) {
    // Switching at every point hides bugs that need a long undisturbed stretch (a full queue),
    // so seeds differ in how restless they are.
    constexpr std::uint32_t kRestless[] = {wire::kCertain, wire::kCertain / 2, wire::kCertain / 6,
                                           wire::kCertain / 32};
    probability_ = kRestless[random_.below(4)];
  }
  // Likewise in how far time may be trusted: a sleep that never ends early hides what happens
  // when a machine is slow, and one that always does hides everything behind it.
  constexpr std::uint32_t kImpatient[] = {0, wire::kCertain / 16, wire::kCertain / 3};
  timeout_probability_ = kImpatient[random_.below(3)];
  lowest_priority_ = std::uint64_t{1} << 32;
}

void Plan::use(wire::PointSet points) {
  points_ = points;
  const bool drawn = rule_.kind == wire::RuleKind::kRandom && rule_.switch_probability == 0;
  if (points == wire::PointSet::kSync || !drawn) return;
  // There are far more points, most of which matter to nobody.
  constexpr std::uint32_t kRestless[] = {wire::kCertain / 2, wire::kCertain / 12,
                                         wire::kCertain / 80, wire::kCertain / 500};
  probability_ = kRestless[random_.below(4)];
}

// --- Hooks ---

bool Plan::is_spinning(const Thread& thread) const {
  return !strict() && points_ == wire::PointSet::kMemory && thread.clock.hooks > 0 &&
         thread.clock.hooks % kSpinHooks == 0;
}

std::uint64_t Plan::hooks_to_pass(const Thread& thread, std::uint64_t step, bool has_others) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 62;
  const auto up_to = [&thread](const wire::Clock& clock) {
    const bool ahead =
        clock.operations == thread.clock.operations && clock.hooks > thread.clock.hooks;
    return ahead ? clock.hooks - thread.clock.hooks - 1 : kFar;
  };
  due_ = false;
  std::uint64_t hooks = kFar;
  if (slice_ < slice_count_) {
    const wire::Slice& slice = slices_[slice_];
    if (slice.thread.ordinal == thread.ordinal) hooks = up_to(slice.until);
  } else if (points_ == wire::PointSet::kMemory && has_others) {
    hooks = hooks_by_rule(thread, step);
  }
  const wire::Hold* hold = next_hold();
  if (hold && hold->thread.ordinal == thread.ordinal && up_to(hold->clock) < hooks) {
    hooks = up_to(hold->clock);
    due_ = false;
  }
  return hooks;
}

std::uint64_t Plan::hooks_by_rule(const Thread& thread, std::uint64_t step) {
  const std::uint64_t to_spin = kSpinHooks - thread.clock.hooks % kSpinHooks - 1;
  switch (rule_.kind) {
    case wire::RuleKind::kRandom: {
      // A draw for every hook until one says so: then none is needed there.
      std::uint64_t hooks = 0;
      while (hooks < to_spin) {
        if (random_.below(wire::kCertain) < probability_) {
          due_ = true;
          return hooks;
        }
        ++hooks;
      }
      return to_spin;
    }
    case wire::RuleKind::kPriority: {
      if (change_point_ == rule_.change_point_count) return to_spin;
      const std::uint64_t at = rule_.change_points[change_point_];
      const std::uint64_t to_change = at > step + 1 ? at - step - 1 : 0;
      return to_change < to_spin ? to_change : to_spin;
    }
    case wire::RuleKind::kStay:
    case wire::RuleKind::kWeighted: break;
  }
  return to_spin;
}

void Plan::thread_appeared(Thread& thread) {
  if (rule_.kind != wire::RuleKind::kPriority) return;
  // Above all lowered ones.
  thread.priority = (std::uint64_t{1} << 63) | (priorities_.next() >> 1);
}

Decision Plan::decide(const View& view) {
  if (slice_ < slice_count_ || (complete_ && following_ == wire::Following::kStrict)) {
    switch (following_) {
      case wire::Following::kStrict: return follow_strictly(view);
      case wire::Following::kLenient: return follow_leniently(view);
      case wire::Following::kNothing: break;
      case wire::Following::kClockForm: break;  // refused by the driver
    }
  }
  return by_rule(view);
}

Decision Plan::follow_strictly(const View& view) {
  const Thread& current = *view.current;
  const auto diverges = [this](const char* why, const wire::Slice* expected) {
    slice_count_ = slice_ = 0;
    complete_ = false;
    return Decision{.divergence = why, .expected = expected};
  };

  if (slice_ == slice_count_) return diverges("the run goes on after its schedule's end", nullptr);
  const wire::Slice* slice = &slices_[slice_];
  const wire::Slice* followed = nullptr;
  if (slice->thread.ordinal == current.ordinal) {
    // The last slice of a whole run ends with the process, between two points.
    const bool last = complete_ && slice_ + 1 == slice_count_;
    if (current.clock < slice->until || (last && current.clock == slice->until)) {
      if (current.ended) return diverges("the run goes on after its schedule's end", nullptr);
      if (view.can_go_on) return Decision{.next = current.slot};
      if (current.pending.deadline != kNever && take(current, wire::ChoiceKind::kTimeout)) {
        return Decision{.next = current.slot, .fires_timeout = true};
      }
      if (current.outside) return Decision{.next = current.slot};
      return diverges("the thread is blocked where it went on", slice);
    }
    if (current.clock > slice->until)
      return diverges("the thread went past its slice's end", slice);
    // What can only be tried, not asked, is blocked after it was tried: at the same clock.
    const bool tries = current.pending.kind == wire::Operation::kFileLock && !current.pending.can;
    if (tries && slice->end == wire::End::kBlocked) return Decision{.next = current.slot};
    if (current.ended != (slice->end == wire::End::kEnded)) {
      return diverges(current.ended ? "the thread ended where it was left"
                                    : "the thread goes on where it ended",
                      slice);
    }
    // What comes from outside may have let it go on or not, whatever else came there.
    if (!current.ended && !current.asks_outside() &&
        view.can_go_on == (slice->end == wire::End::kBlocked)) {
      return diverges(view.can_go_on ? "the thread can go on where it was blocked"
                                     : "the thread is blocked where it could go on",
                      slice);
    }
    if (current.pending.kind != slice->pending) {
      return diverges("the thread is about to make another operation", slice);
    }
    followed = slice;
    ++slice_;
    if (slice_ == slice_count_) {
      if (complete_) return diverges("the run goes on after its schedule's end", nullptr);
      // Nobody: what is to come from outside was left to the schedule, and it has ended.
      return view.runnable->empty() ? Decision{} : by_rule(view);
    }
    slice = &slices_[slice_];
  }

  const std::uint32_t ordinal = slice->thread.ordinal;
  const std::uint32_t slot = ordinal < view.threads_ever ? view.slot_of[ordinal] : kNoSlot;
  if (slot == kNoSlot) return diverges("the schedule names a thread that does not exist", slice);
  if (view.runnable->contains(slot)) return Decision{.next = slot, .followed = followed};
  if (view.by_slot[slot]->pending.deadline != kNever &&
      take(*view.by_slot[slot], wire::ChoiceKind::kTimeout)) {
    return Decision{.next = slot, .fires_timeout = true, .followed = followed};
  }
  // What it waits for outside will come.
  if (view.by_slot[slot]->outside) return Decision{.next = slot, .followed = followed};
  return diverges("the thread whose turn it is cannot run", slice);
}

// Each turn of the loop uses up a slice or decides. A thread that appears too late does not get
// its slices back.
Decision Plan::follow_leniently(const View& view) {
  for (; slice_ < slice_count_; ++slice_) {
    const wire::Slice& slice = slices_[slice_];
    const std::uint32_t ordinal = slice.thread.ordinal;
    const std::uint32_t slot = ordinal < view.threads_ever ? view.slot_of[ordinal] : kNoSlot;
    if (slot == kNoSlot) continue;
    const Thread& thread = *view.by_slot[slot];
    // The last slice of a whole run may end before its thread's next point.
    const bool last = complete_ && slice_ + 1 == slice_count_;
    if (thread.ended || thread.clock > slice.until || (thread.clock == slice.until && !last))
      continue;
    if (&thread == view.current && view.leave == Leave::kSpins && view.runnable->count() > 1)
      continue;
    if (view.runnable->contains(slot)) return Decision{.next = slot};
    if (thread.pending.deadline != kNever && take(thread, wire::ChoiceKind::kTimeout)) {
      return Decision{.next = slot, .fires_timeout = true};
    }
  }
  return by_rule(view);
}

Decision Plan::by_rule(const View& view) {
  switch (rule_.kind) {
    case wire::RuleKind::kStay: return stay(view);
    case wire::RuleKind::kRandom: return random(view);
    case wire::RuleKind::kPriority: return priority(view);
    case wire::RuleKind::kWeighted: break;  // refused by the driver
  }
  return stay(view);
}

Decision Plan::stay(const View& view) const {
  if (view.can_go_on && view.leave == Leave::kMayStay) return Decision{.next = view.current->slot};
  return Decision{.next = view.runnable->next_after(view.current->slot)};
}

Decision Plan::random(const View& view) {
  const std::uint32_t current = view.current->slot;
  const bool may_stay = view.can_go_on && view.leave == Leave::kMayStay;
  const bool draws = may_stay && !view.due && probability_ < wire::kCertain;
  if (draws && random_.below(wire::kCertain) >= probability_) {
    return Decision{.next = current};
  }
  const std::uint32_t fireable = timeout_probability_ ? view.fireable->count() : 0;
  if (fireable && random_.below(wire::kCertain) < timeout_probability_) {
    return Decision{.next = view.fireable->nth(random_.below(fireable)), .fires_timeout = true};
  }
  const std::uint32_t runnable = view.runnable->count();
  // A thread that yields or spins is left out if anybody else can run.
  const bool without_current = view.can_go_on && !may_stay && runnable > 1;
  std::uint32_t slot = view.runnable->nth(random_.below(runnable - (without_current ? 1 : 0)));
  // Skip over the current thread: members from its position on move up by one.
  if (without_current && slot >= current) slot = view.runnable->first_from(slot + 1);
  return Decision{.next = slot};
}

// Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
// ASPLOS 2010. A thread that yields or spins drops below all others without using up a change
// point: the paper has no spinning programs.
Decision Plan::priority(const View& view) {
  const std::uint32_t current = view.current->slot;
  Thread& thread = *view.by_slot[current];
  if (view.leave != Leave::kMayStay) thread.priority = --lowest_priority_;
  while (change_point_ < rule_.change_point_count &&
         rule_.change_points[change_point_] <= view.step) {
    ++change_point_;
    thread.priority = --lowest_priority_;
  }
  std::uint32_t best = ThreadSet::kNone;
  for (std::uint32_t slot = view.runnable->first_from(0); slot != ThreadSet::kNone;
       slot = view.runnable->first_from(slot + 1)) {
    if (best == ThreadSet::kNone || view.by_slot[slot]->priority > view.by_slot[best]->priority) {
      best = slot;
    }
  }
  return Decision{.next = best};
}

// Choices are taken in the order in which they were made. Out of order they are looked up, so
// that a lenient replay that skipped some still finds the rest.
const wire::Choice* Plan::recorded(const Thread& thread, wire::ChoiceKind kind) const {
  const auto fits = [&](const wire::Choice& choice) {
    return choice.thread.ordinal == thread.ordinal && choice.clock == thread.clock &&
           choice.kind == kind;
  };
  // One operation may choose several times.
  std::uint64_t first = choice_;
  if (taken_ > first && fits(choices_[taken_ - 1])) first = taken_;
  for (std::uint64_t i = first; i < choice_count_; ++i) {
    if (fits(choices_[i])) return &choices_[i];
    if (following_ == wire::Following::kStrict) break;
  }
  return nullptr;
}

const wire::Choice* Plan::take(const Thread& thread, wire::ChoiceKind kind) {
  const wire::Choice* choice = recorded(thread, kind);
  if (!choice) return nullptr;
  taken_ = static_cast<std::uint64_t>(choice - choices_) + 1;
  if (taken_ == choice_ + 1) ++choice_;
  return choice;
}

bool Plan::ends_here(const Thread& thread) const {
  if (!complete_ || slice_ + 1 != slice_count_ || choice_ != choice_count_) return false;
  const wire::Slice& slice = slices_[slice_];
  return slice.thread.ordinal == thread.ordinal && slice.until == thread.clock;
}

bool Plan::waits_here(const Thread& thread) const {
  if (recorded(thread, wire::ChoiceKind::kSignal)) return true;
  if (recorded(thread, wire::ChoiceKind::kTimeout)) return true;
  if (ends_here(thread)) return true;
  if (slice_ == slice_count_) return false;
  const wire::Slice& slice = slices_[slice_];
  return slice.thread.ordinal == thread.ordinal && slice.until == thread.clock &&
         slice.end == wire::End::kBlocked;
}

int Plan::choose_waiter(const Thread& waker, const Thread* first, std::uint32_t count) {
  const bool following = following_ == wire::Following::kStrict ||
                         (following_ == wire::Following::kLenient && choice_ < choice_count_);
  if (following) {
    if (const wire::Choice* choice = take(waker, wire::ChoiceKind::kWaiter)) {
      int index = 0;
      for (const Thread* waiter = first; waiter; waiter = waiter->next, ++index) {
        if (waiter->ordinal == choice->value) return index;
      }
      if (following_ == wire::Following::kStrict) return -1;
      return 0;  // an absent thread: the longest waiting
    }
    if (following_ == wire::Following::kStrict && slice_ < slice_count_) return -1;
  }
  switch (rule_.kind) {
    case wire::RuleKind::kRandom: return static_cast<int>(random_.below(count));
    case wire::RuleKind::kPriority: {
      int best = 0;
      int index = 0;
      std::uint64_t highest = 0;
      for (const Thread* waiter = first; waiter; waiter = waiter->next, ++index) {
        if (waiter->priority <= highest) continue;
        highest = waiter->priority;
        best = index;
      }
      return best;
    }
    case wire::RuleKind::kStay:
    case wire::RuleKind::kWeighted: break;
  }
  return 0;
}

}  // namespace unravel
