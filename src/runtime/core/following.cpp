/// How a plan follows a schedule: strictly, leniently, or in clock form.
#include "runtime/core/decide.hpp"

namespace unravel {

Decision Plan::follow_strictly(const View& view) {
  using Kind = wire::DivergenceKind;
  const Thread& current = *view.current;
  const auto diverges = [this](const char* why, const wire::Slice* expected,
                               Kind kind = Kind::kThread) {
    const bool at_end = complete_ && slice_ + 1 >= slice_count_;
    slice_count_ = slice_ = 0;
    complete_ = false;
    return Decision{.divergence = why, .kind = kind, .expected = expected, .at_end = at_end};
  };

  if (slice_ == slice_count_)
    return diverges("the run goes on after the end of its schedule", nullptr, Kind::kEnd);
  const wire::Slice* slice = &slices_[slice_];
  const wire::Slice* followed = nullptr;
  if (slice->thread.ordinal == current.ordinal) {
    // The last slice of a whole run ends with the process, between two points.
    const bool last = complete_ && slice_ + 1 == slice_count_;
    if (current.clock < slice->until || (last && current.clock == slice->until)) {
      if (current.ended)
        return diverges("the run goes on after the end of its schedule", nullptr, Kind::kEnd);
      if (view.can_go_on) return Decision{.next = current.slot};
      if (current.pending.deadline != kNever && take(current, wire::ChoiceKind::kTimeout)) {
        return Decision{.next = current.slot, .fires_timeout = true};
      }
      if (current.outside) return Decision{.next = current.slot};
      return diverges("the thread is blocked; in the recorded run it went on here", slice);
    }
    if (current.clock > slice->until)
      return diverges("the thread went past the end of its slice", slice);
    // Operations that can only be tried are blocked after the attempt, at the same clock.
    const bool tries = wire::traits(current.pending.kind).only_tried && !current.pending.can;
    if (tries && slice->end == wire::End::kBlocked) return Decision{.next = current.slot};
    if (current.ended != (slice->end == wire::End::kEnded)) {
      return diverges(current.ended ? "the thread ended; in the recorded run it did not end here"
                                    : "the thread goes on; in the recorded run it ended here",
                      slice, Kind::kEnd);
    }
    // A thread that waits for something outside may be able to go on or not: that depends on when
    // it comes.
    if (!current.ended && !current.asks_outside() &&
        view.can_go_on == (slice->end == wire::End::kBlocked)) {
      return diverges(view.can_go_on
                          ? "the thread can go on; in the recorded run it was blocked here"
                          : "the thread is blocked; in the recorded run it could go on here",
                      slice);
    }
    if (current.pending.kind != slice->pending) {
      return diverges("the thread is about to make another operation than in the recorded run",
                      slice, Kind::kOperation);
    }
    followed = slice;
    ++slice_;
    if (slice_ == slice_count_) {
      if (complete_)
        return diverges("the run goes on after the end of its schedule", nullptr, Kind::kEnd);
      // No thread can run: the schedule, which has ended, would have said what comes from outside.
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
  // It waits for something outside that will come.
  if (view.by_slot[slot]->outside) return Decision{.next = slot, .followed = followed};
  return diverges("the thread that the schedule names next cannot run", slice);
}

// Each round of the loop uses up a slice or decides. A thread that appears too late does not get
// its earlier slices back.
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

// --- Clock form ---

std::uint32_t usual_next(const View& view) {
  if (view.can_go_on && view.leave == Leave::kMayStay) return view.current->slot;
  if (const Thread* head = view.queue->head()) return head->slot;
  return view.can_go_on ? view.current->slot : ThreadSet::kNone;
}

// Choi and Zeller, "Isolating Failure-Inducing Thread Schedules", ISSTA 2002: a switch is known by
// how many points all threads have passed, and the next thread follows from the order in which they
// queued. Switches of equal count are made one after the other without a step between them.
Decision Plan::follow_clock_form(const View& view) {
  while (switch_ < switch_count_ && switches_[switch_].count < view.step) ++switch_;
  const auto is_here = [&] {
    return switch_ < switch_count_ && switches_[switch_].count == view.step;
  };
  const Thread* head = view.queue->head();
  if (!is_here()) return {.next = view.tick && head ? head->slot : usual_next(view)};

  Decision decision{.next = view.current->slot, .switches = &switches_[switch_]};
  while (is_here() && !decision.fires_timeout) {
    const std::uint32_t before = decision.next;
    make_switch(switches_[switch_], view, decision);
    ++switch_;
    ++decision.switch_count;
    if (decision.next == before || decision.fires_timeout) continue;
    view.queue->remove(*view.by_slot[decision.next]);
    if (view.runnable->contains(before)) view.queue->push(*view.by_slot[before]);
  }
  if (!decision.fires_timeout && !view.runnable->contains(decision.next)) {
    decision.next = usual_next(view);
  }
  return decision;
}

/// The thread that has the turn after one switch of clock form: the named receiver, else the head
/// of the queue, else the thread that had the turn.
void Plan::make_switch(const wire::ClockSwitch& one, const View& view, Decision& decision) {
  const std::uint32_t ordinal = one.receiver.ordinal;
  const std::uint32_t slot =
      one.has_receiver && ordinal < view.threads_ever ? view.slot_of[ordinal] : kNoSlot;
  if (slot != kNoSlot) {
    const Thread& thread = *view.by_slot[slot];
    decision.fires_timeout = !view.runnable->contains(slot) && !thread.ended &&
                             thread.pending.deadline != kNever &&
                             take(thread, wire::ChoiceKind::kTimeout);
    if (decision.fires_timeout || view.runnable->contains(slot)) {
      decision.next = slot;
      return;
    }
  }
  if (const Thread* head = view.queue->head()) decision.next = head->slot;
}

}  // namespace unravel
