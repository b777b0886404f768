#include "runtime/core/decision_record.hpp"

namespace unravel {

using wire::Ability;
using wire::DecisionKind;

void DecisionRecord::begin(bool on, std::uint64_t ordinal) {
  on_ = on && stream_;
  if (!on_) return;
  head(DecisionKind::kRun, nullptr, 0, ordinal);
  close();
}

void DecisionRecord::add_turn(const View& view, const Decision& decision) {
  if (decision.next == ThreadSet::kNone || decision.divergence) return;
  // Fairness can fire a deadline that no rule may choose yet.
  const bool is_far = decision.fires_timeout && !view.fireable->contains(decision.next) &&
                      !(view.current_fireable && decision.next == view.current->slot);
  const std::uint32_t count = view.runnable->count() + view.fireable->count() +
                              (view.current_fireable ? 1 : 0) + (is_far ? 1 : 0);
  if (count < 2) return;
  head(DecisionKind::kThread, view.by_slot[decision.next], count, view.step,
       decision.fires_timeout);
  const auto add = [&](const ThreadSet& set, Ability ability) {
    for (std::uint32_t slot = set.first_from(0); slot != ThreadSet::kNone;
         slot = set.first_from(slot + 1)) {
      alternative(*view.by_slot[slot], ability);
    }
  };
  add(*view.runnable, Ability::kGoOn);
  add(*view.fireable, Ability::kTimeOut);
  if (view.current_fireable) alternative(*view.current, Ability::kTimeOut);
  if (is_far) alternative(*view.by_slot[decision.next], Ability::kTimeOut);
  close();
}

void DecisionRecord::waiter(const Thread& chosen, const Thread* first, std::uint32_t count,
                            std::uint64_t step) {
  if (!on_) return;
  head(DecisionKind::kWaiter, &chosen, count, step);
  for (const Thread* waiter = first; waiter; waiter = waiter->list.next) {
    alternative(*waiter, Ability::kBlocked);
  }
  close();
}

void DecisionRecord::end(const ThreadTable& threads, const Thread& current,
                         const ThreadSet& runnable, std::uint64_t step) {
  if (!on_) return;
  std::uint32_t count = 0;
  threads.for_each_live([&](const Thread&) { ++count; });
  head(DecisionKind::kEnd, &current, count, step);
  threads.for_each_live([&](const Thread& thread) {
    const bool can = &thread == &current || runnable.contains(thread.slot);
    alternative(thread, can ? Ability::kGoOn : Ability::kBlocked);
  });
  close();
  on_ = false;
}

void DecisionRecord::head(DecisionKind kind, const Thread* chosen, std::uint32_t count,
                          std::uint64_t step, bool fires_timeout) {
  const std::uint64_t length =
      wire::DecisionHead::kWords + std::uint64_t{count} * wire::AlternativeHead::kWords;
  if (stream_->capacity - stream_->count < length) host_->make_room();
  at_ = stream_->count;
  words_[at_++] = wire::DecisionHead::of(kind, fires_timeout, static_cast<std::uint16_t>(count),
                                         chosen ? chosen->ordinal : 0)
                      .word;
  words_[at_++] = step;
}

void DecisionRecord::alternative(const Thread& thread, Ability ability) {
  words_[at_++] = wire::AlternativeHead::of(reinterpret_cast<std::uint64_t>(thread.pending.site),
                                            thread.pending.kind, ability)
                      .word;
  words_[at_++] = thread.pending.reported_object();
  words_[at_++] = thread.ordinal;
  words_[at_++] = thread.pending.also;
}

}  // namespace unravel
