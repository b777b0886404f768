#include "runtime/core/outside_events.hpp"

namespace unravel {

using wire::ChoiceKind;
using wire::DivergenceKind;

void OutsideEvents::await(Thread& self, Thread& next) {
  while (blocks(next)) {
    if (!next.outside || !state_.host.wait_outside(kNever)) {
      endings_.diverged(
          self, {.divergence = "the next thread waits for something outside that does not come",
                 .kind = DivergenceKind::kOutside});
    }
    next.retry = true;
  }
  state_.make_runnable(next);
  deadlines_.remove(next);
}

void OutsideEvents::follow(Thread& self) {
  for (;;) {
    const wire::Choice* choice = state_.plan.take(self, ChoiceKind::kSignal);
    if (!choice) choice = state_.plan.take(self, ChoiceKind::kTimePassed);
    if (!choice) return;
    follow_choice(self, *choice);
  }
}

void OutsideEvents::follow_choice(Thread& self, const wire::Choice& choice) {
  if (choice.kind == ChoiceKind::kTimePassed) {
    return deadlines_.go_on_by(self, choice.kind, choice.value);
  }
  record_.choice(self, ChoiceKind::kSignal, choice.value);
  if (choice.value) {
    state_.host.deliver_signal(static_cast<int>(choice.value));
  } else {
    deadlines_.pass_time();
  }
}

bool OutsideEvents::take_signals(Thread& self) {
  bool any = false;
  while (const int signal = state_.host.arrived_signal()) {
    any = true;
    record_.choice(self, ChoiceKind::kSignal, static_cast<std::uint64_t>(signal));
    state_.host.deliver_signal(signal);
  }
  return any;
}

void OutsideEvents::look_for_signals(Thread& self) {
  if (state_.plan.strict()) {
    follow_signals(self);
  } else {
    take_signals(self);
  }
}

void OutsideEvents::follow_signals(Thread& self) {
  while (const wire::Choice* choice = state_.plan.recorded(self, ChoiceKind::kSignal)) {
    if (choice->value == 0) return;  // it was seen a little later, when no thread could run
    follow_choice(self, *state_.plan.take(self, ChoiceKind::kSignal));
  }
}

void OutsideEvents::sample(Thread& self) {
  const std::uint64_t step = state_.slot->steps;
  next_sample_ = step - step % kSampleEvery + kSampleEvery;
  if (!state_.plan.strict()) {
    take_signals(self);
    if (state_.host.has_outside()) {
      state_.host.looked_outside();
      retry(&self);
    }
    return;
  }
  follow_signals(self);
}

const wire::Choice* OutsideEvents::recorded_answer(const Thread& self) {
  // Waiting for it would be a switch that no schedule of this run could name.
  if (!state_.plan.strict()) return nullptr;
  const wire::Choice* choice = state_.plan.take(self, ChoiceKind::kExternal);
  if (!choice) {
    endings_.diverged(
        self, {.divergence = "something came from outside that did not come in the recorded run",
               .kind = DivergenceKind::kOutside});
  }
  return choice;
}

void OutsideEvents::answered(const Thread& self, const wire::Choice* recorded,
                             std::uint64_t value) {
  if (recorded && state_.plan.strict() && recorded->value != value) {
    endings_.diverged(self,
                      {.divergence = "something else came from outside than in the recorded run",
                       .kind = DivergenceKind::kOutside});
  }
  record_.choice(self, ChoiceKind::kExternal, value);
}

void OutsideEvents::diverge(Thread& self, const char* why, DivergenceKind kind,
                            const wire::Slice* expected) {
  endings_.diverged(self, {.divergence = why, .kind = kind, .expected = expected});
}

void OutsideEvents::give_up(Thread& self, const char* why) {
  endings_.give_up(self, why);
  __builtin_unreachable();
}

void OutsideEvents::retry(const Thread* except) {
  state_.threads.for_each_live([&](Thread& thread) {
    if (!thread.outside || &thread == except) return;
    thread.retry = true;
    objects_.refresh(thread);
  });
}

void OutsideEvents::changed() {
  Object* found = objects_.find(object());
  if (!found) return;
  for (Thread* thread = found->contenders.first; thread; thread = thread->list.next) {
    thread->retry = true;
  }
  objects_.changed(*found);
}

}  // namespace unravel
