#include "runtime/core/decide.hpp"

#include <cstddef>

namespace unravel {

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
  const wire::Constraint* constraints = nullptr;
  std::uint64_t constraint_count = 0;
  array(constraints, constraint_count, header->constraints);
  constraints_.use(constraints, static_cast<std::uint32_t>(constraint_count));
  array(switches_, switch_count_, header->clock_switches);
  const wire::StopAt* stops = nullptr;
  std::uint64_t stop_count = 0;
  array(stops, stop_count, header->stops);
  stops_.use(stops, stop_count);
  start_rule();
}

Decision Plan::decide(const View& view) {
  switch (following_) {
    case wire::Following::kStrict:
      if (slice_ < slice_count_ || complete_) return follow_strictly(view);
      break;
    case wire::Following::kLenient:
      if (slice_ < slice_count_) return follow_leniently(view);
      break;
    case wire::Following::kClockForm: return follow_clock_form(view);
    case wire::Following::kNothing: break;
  }
  return by_rule(view);
}

// Choices are taken in the order in which they were made. If the order differs they are looked up,
// so a lenient replay that skipped some still finds the rest.
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
  if (recorded(thread, wire::ChoiceKind::kTimePassed)) return true;
  if (recorded(thread, wire::ChoiceKind::kTimeout)) return true;
  if (ends_here(thread)) return true;
  if (slice_ == slice_count_) return false;
  const wire::Slice& slice = slices_[slice_];
  return slice.thread.ordinal == thread.ordinal && slice.until == thread.clock &&
         slice.end == wire::End::kBlocked;
}

int Plan::choose_waiter(const Thread& waker, const Thread* first, std::uint32_t count) {
  const bool following = following_ == wire::Following::kStrict || choice_ < choice_count_;
  if (following) {
    if (const wire::Choice* choice = take(waker, wire::ChoiceKind::kWaiter)) {
      int index = 0;
      for (const Thread* waiter = first; waiter; waiter = waiter->list.next, ++index) {
        if (waiter->ordinal == choice->value) return index;
      }
      if (following_ == wire::Following::kStrict) return -1;
      return 0;  // the thread does not exist: take the one that has waited longest
    }
    if (following_ == wire::Following::kStrict && slice_ < slice_count_) return -1;
  }
  return waiter_by_rule(first, count);
}

}  // namespace unravel
