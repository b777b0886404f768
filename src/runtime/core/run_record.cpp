#include "runtime/core/run_record.hpp"

namespace unravel {

using wire::ThreadState;

void RunRecord::event(const Thread& self, const Op& op, wire::EventResult result,
                      std::uint64_t value) {
  state_.host.event({.thread = {.ordinal = self.ordinal},
                     .clock = self.clock,
                     .site = state_.host.site_of(op.site),
                     .object = op.reported_object(),
                     .value = value,
                     .operation = op.kind,
                     .result = result});
}

void RunRecord::choice(const Thread& thread, wire::ChoiceKind kind, std::uint64_t value) {
  state_.host.choice(
      {.thread = {.ordinal = thread.ordinal}, .clock = thread.clock, .value = value, .kind = kind});
  mix(static_cast<std::uint64_t>(kind) + 1);
  mix(thread.ordinal);
  mix(value);
}

void RunRecord::slice(const Thread& self, wire::End end) {
  const wire::Slice slice{.thread = {.ordinal = self.ordinal},
                          .until = self.clock,
                          .site = state_.host.site_of(self.pending.site),
                          .end = end,
                          .pending = self.pending.kind};
  state_.host.slice(slice);
  wire::RunSlot& run = *state_.slot;
  ++run.slices;
  ++run.switches;
  if (!wire::forced(end, slice.pending)) {
    ++run.preemptions;
    pairs_.record_preempted(reinterpret_cast<std::uint64_t>(self.pending.site));
  }
  mix(self.ordinal);
  mix(self.clock.operations);
  mix(self.clock.hooks);

  pending(self, slice.site);
}

void RunRecord::clock_switches(const Decision& decision) {
  const auto slice = static_cast<std::uint32_t>(state_.slot->slices);
  for (std::uint32_t i = 0; i < decision.switch_count; ++i) {
    wire::ClockSwitch one = decision.switches[i];
    one.slice = slice;
    state_.host.clock_switch(one);
  }
  if (decision.switch_count || decision.next == ThreadSet::kNone) return;
  state_.host.clock_switch({.count = state_.slot->steps,
                            .receiver = {.ordinal = state_.threads.at(decision.next).ordinal},
                            .has_receiver = 1,
                            .slice = slice});
}

void RunRecord::pending(const Thread& self, wire::Site site) {
  if (self.ended) return;
  wire::ThreadRecord& record = *self.record;
  record.state = state_.runnable.contains(self) ? ThreadState::kRunnable : ThreadState::kBlocked;
  record.pending = self.pending.kind;
  record.object = self.pending.reported_object();
  record.site = site;
  record.deadline = self.pending.deadline;
}

}  // namespace unravel
