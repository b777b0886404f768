/// What a run leaves behind: slices, choices, events, a hash of its schedule, and which sites met.
///
/// It is written while the run goes on, so it is complete whatever ends the run.
#pragma once

#include "runtime/core/decision_record.hpp"
#include "runtime/core/pair_map.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class RunRecord {
 public:
  explicit RunRecord(RunState& state) : state_(state) {}

  PairMap& pairs() { return pairs_; }
  DecisionRecord& decisions() { return decisions_; }

  /// `self` has made `op`, which is counted in its clock.
  void operation(const Thread& self, const Op& op, wire::EventResult result, std::uint64_t value) {
    if (state_.limits.trace >= wire::TraceLevel::kSync) event(self, op, result, value);
    if (state_.recorder.on()) state_.recorder.operation(op, result, value);
    if (result == wire::EventResult::kDone) {
      pairs_.record(op, self.ordinal, *state_.slot);
    } else {
      pairs_.record_executed(reinterpret_cast<std::uint64_t>(op.site),
                             static_cast<std::uint64_t>(result), *state_.slot);
    }
  }
  /// A decision other than which thread runs.
  void choice(const Thread& thread, wire::ChoiceKind kind, std::uint64_t value);
  /// `self` gives the turn away.
  void slice(const Thread& self, wire::End end);
  /// Records the switches of clock form that stand for a decision.
  void clock_switches(const Decision& decision);
  /// Shows the driver what a thread waits for, even while the thread idles with the turn.
  void pending(const Thread& self, wire::Site site);

 private:
  void event(const Thread& self, const Op& op, wire::EventResult result, std::uint64_t value);
  void mix(std::uint64_t value) {
    std::uint64_t& hash = state_.slot->schedule_hash;
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }

  RunState& state_;
  PairMap pairs_;
  DecisionRecord decisions_;
};

}  // namespace unravel
