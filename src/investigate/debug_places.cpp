// The part of a debug session that finds out where to go, and how to get there.

#include <algorithm>

#include "data/failure_title.hpp"
#include "data/print.hpp"
#include "investigate/debug_session.hpp"
#include "investigate/snapshot.hpp"

namespace unravel {

namespace {

using Kind = DebuggerRequest::Kind;
using Stop = wire::DebuggerStop;

Stop at_step(std::uint64_t count) { return {.kind = Stop::Kind::kStep, .count = count}; }

/// Failures that are found only after the run has ended.
bool is_judged_later(const Failure& failure) {
  return failure.kind == FailureKind::kOracle || failure.kind == FailureKind::kTimeout;
}

}  // namespace

Result<Stop> DebugSession::target_of(const DebuggerRequest& request, const WatchedRun* run) const {
  const std::string& id = recorded().id;
  switch (request.kind) {
    case Kind::kStart: return at_step(1);
    case Kind::kEnd: return at_step(recorded().summary.steps);
    case Kind::kCritical: return critical();
    case Kind::kFailure:
      if (!recorded().failure) {
        return user_error("run " + id + " did not fail", {},
                          "`unravel goto end` goes to its last point");
      }
      if (is_judged_later(*recorded().failure)) {
        return user_error(
            "the failure of run " + id + " has no place: " + failure_title(*recorded().failure),
            "it was found after the run had ended", "`unravel goto end` goes to its last point");
      }
      return Stop{};
    case Kind::kGoto: {
      const Result<void> exists = check_moment(recorded(), request.place);
      if (!exists) return fail(exists.error());
      if (request.place.points) return at_step(*request.place.points);
      return Stop{.kind = Stop::Kind::kClock, .at = request.place.at};
    }
    default: break;
  }
  if (!run) {
    return user_error("the run is not there", "it has not begun, or it has ended",
                      "`unravel goto PLACE` makes it again, up to a place");
  }
  if (request.kind == Kind::kSwitch || request.kind == Kind::kSwitchBack) {
    return switch_target(request, *run);
  }
  return step_target(request, *run);
}

Result<Stop> DebugSession::step_target(const DebuggerRequest& request,
                                       const WatchedRun& run) const {
  const std::uint64_t last = recorded().summary.steps;
  std::uint64_t step = run.counters().steps;
  if (request.kind == Kind::kStep) {
    if (request.count > last - std::min(step, last)) {
      return user_error(
          "the run has no point " + std::to_string(step) + " + " + std::to_string(request.count),
          "its last point is " + std::to_string(last) + (step == last ? ", where it stands" : ""),
          "`continue` lets the run end");
    }
    return at_step(step + request.count);
  }
  // From between two points, the first step back leads to the point before.
  if (!stands_at_) ++step;
  if (request.count >= step) {
    return user_error("the run has no point " + std::to_string(request.count) + " before this one",
                      "it is at point " + std::to_string(run.counters().steps),
                      "`unravel goto start` goes to the first one");
  }
  return at_step(step - request.count);
}

Result<Stop> DebugSession::switch_target(const DebuggerRequest& request,
                                         const WatchedRun& run) const {
  const std::uint64_t made = run.counters().switches;
  const bool is_before_one =
      stands_at_ == wire::StopReason::kDebugger && run.stop().is_before_switch;
  std::uint64_t count = made;
  if (request.kind == Kind::kSwitch) count += is_before_one ? 2 : 1;
  if (count == 0) {
    return user_error("no switch is before this place", "no thread has given the turn away yet",
                      "`unravel switch` goes to the next one");
  }
  if (count > recorded().summary.switches) {
    return user_error("no switch is after this place",
                      "the run has " + std::to_string(recorded().summary.switches) + " switches",
                      "`unravel switch -` goes to the previous one");
  }
  return Stop{.kind = Stop::Kind::kSwitch, .count = count};
}

Result<Stop> DebugSession::critical() const {
  if (deciding_) return Stop{.kind = Stop::Kind::kSwitchAt, .at = deciding_->at};
  const auto decides = [](const wire::Slice& slice) {
    return !wire::forced(slice.end, slice.pending);
  };
  const std::vector<wire::Slice>& slices = recorded().schedule.slices;
  const auto last = std::find_if(slices.rbegin(), slices.rend(), decides);
  if (last == slices.rend()) {
    return user_error("run " + recorded().id + " has no preemption",
                      "every switch in it was forced",
                      "`unravel isolate " + recorded().id + "` finds what decides");
  }
  return Stop{.kind = Stop::Kind::kSwitchAt, .at = {last->thread, last->until}};
}

Way DebugSession::way_to(const Stop& target, const WatchedRun* run) const {
  // A debugger keeps us from leaving loops that only read memory, so that such runs are made
  // without one.
  if (!run || !is_attached_ || run->spins()) return Way::kAgain;
  if (stands_at_ == wire::StopReason::kDivergence) return Way::kAgain;
  const bool stands = stands_at_ == wire::StopReason::kDebugger;
  const bool is_before_switch = stands && run->stop().is_before_switch;
  const wire::RunSlot counters = run->counters();
  switch (target.kind) {
    case Stop::Kind::kNowhere:
      return stands_at_ == wire::StopReason::kFailure ? Way::kHere : Way::kForward;
    case Stop::Kind::kStep:
      if (counters.steps == target.count && stands && !is_before_switch) return Way::kHere;
      return counters.steps < target.count ? Way::kForward : Way::kAgain;
    case Stop::Kind::kSwitch:
      if (is_before_switch && counters.switches + 1 == target.count) return Way::kHere;
      return counters.switches < target.count && !is_before_switch ? Way::kForward
             : counters.switches + 1 < target.count                ? Way::kForward
                                                                   : Way::kAgain;
    case Stop::Kind::kClock:
    case Stop::Kind::kSwitchAt: return way_to_clock(target, *run);
  }
  return Way::kAgain;
}

Way DebugSession::way_to_clock(const Stop& target, const WatchedRun& run) const {
  const wire::ThreadRecord current = run.current();
  const bool stands = stands_at_ == wire::StopReason::kDebugger;
  const bool is_before_switch = stands && run.stop().is_before_switch;
  const bool wants_switch = target.kind == Stop::Kind::kSwitchAt;
  if (current.thread == target.at.thread && current.clock == target.at.clock && stands) {
    if (is_before_switch == wants_switch) return Way::kHere;
    return wants_switch ? Way::kForward : Way::kAgain;
  }
  for (const WatchedThread& thread : run.threads()) {
    if (thread.record.thread != target.at.thread) continue;
    const wire::Clock clock = thread.has_turn ? current.clock : thread.record.clock;
    return clock < target.at.clock ? Way::kForward : Way::kAgain;
  }
  // It was not created yet, or has ended.
  return target.at.thread.ordinal >= run.counters().threads ? Way::kForward : Way::kAgain;
}

}  // namespace unravel
