#include "investigate/debug_session.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "data/failure_title.hpp"
#include "data/print.hpp"
#include "data/program.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/repetition.hpp"
#include "investigate/steps.hpp"

namespace unravel {

namespace {

using Kind = DebuggerRequest::Kind;
using Stop = wire::DebuggerStop;

// A run in a debugger takes as long as its user.
constexpr std::chrono::milliseconds kNoLimit = std::chrono::hours(24 * 365);

// How long to wait for a request before looking at the run again. While the debugger holds the run,
// nothing else happens. Chosen by hand.
constexpr std::chrono::milliseconds kWhileHeld{50};
constexpr std::chrono::milliseconds kWhileRunning{0};

// Rows of the table before and after a place: half a screen. Chosen by hand.
constexpr std::size_t kRowsAround = 10;

}  // namespace

namespace {

Result<OpenedRun> open_to_debug(const DebugRequest& request) {
  Result<OpenedRun> opened = open_run(request.run, request.store);
  if (!opened) return opened;
  const Run& run = opened->stored.run;
  const Result<void> same = check_same_build(*opened);
  if (!same) return fail(same.error());
  if (run.schedule.slices.empty() || run.summary.threads < 2) {
    return user_error("run " + run.id + " never had a second thread",
                      "there are no places in it that could be gone to",
                      "debug the program itself: `gdb --args " + program_text(run.program) + "`");
  }
  return opened;
}

}  // namespace

Result<std::string> DebugSession::check(const DebugRequest& request) {
  const Result<OpenedRun> opened = open_to_debug(request);
  if (!opened) return fail(opened.error());
  return opened->stored.run.id;
}

Result<std::unique_ptr<DebugSession>> DebugSession::open(const DebugRequest& request,
                                                         DebuggerLink& link, Observer& observer) {
  Result<OpenedRun> opened = open_to_debug(request);
  if (!opened) return fail(opened.error());
  std::unique_ptr<DebugSession> session(new DebugSession(std::move(*opened), link, observer));
  Judging judging = request.judging;
  judging.timeout = kNoLimit;
  Result<std::unique_ptr<RunnerLease>> lease =
      start_like(session->opened_, judging, observer, request.environment, request.inputs);
  if (!lease) return fail(lease.error());
  session->lease_ = std::move(*lease);
  auto deciding = session->opened_.store.deciding_place(session->recorded().id);
  if (!deciding) return fail(deciding.error());
  session->deciding_ = std::move(*deciding);
  return session;
}

void DebugSession::serve() {
  const Run& run = recorded();
  link_.answer(
      DebuggedRun{.id = run.id,
                  .program = run.program.path,
                  .points = run.summary.steps,
                  .failure = run.failure ? failure_title(*run.failure) : std::string(),
                  .failing_thread = run.failure ? std::optional(run.failure->thread) : std::nullopt,
                  .passing = deciding_ ? deciding_->passing : std::string()});
  while (!link_.is_closed()) {
    if (wants_run_) {
      make_run();
    } else if (const auto request = link_.next(kWhileHeld)) {
      handle(*request, nullptr);
    }
  }
}

void DebugSession::make_run() {
  wants_run_ = is_attached_ = was_given_up_ = false;
  stands_at_.reset();
  end_.reset();
  RunRequest request;
  request.schedule = recorded().schedule;
  request.following = wire::Following::kStrict;
  request.debugger = this;
  const Result<Run> now = lease_->get().run(request);
  if (!was_given_up_) finish(now);
}

void DebugSession::finish(const Result<Run>& now) {
  if (now) {
    end_ = DebuggedEnd{.outcome = std::string(name(now->summary.outcome)),
                       .differs = difference(recorded(), *now)};
  } else {
    end_ = now.error();
  }
  if (is_awaited_) link_.answer(*end_);
  is_awaited_ = false;
}

void DebugSession::stopped(WatchedRun& run, wire::StopReason why) {
  // What was said while it ran, such as that the debugger let it go on, comes first.
  while (const auto request = link_.next(kWhileRunning)) handle(*request, &run);
  stands_at_ = why;
  if (is_attached_) return;
  // Nobody is attached yet: the run waits for the debugger.
  link_.answer(position(run));
  is_awaited_ = false;
  while (!is_attached_ && !was_given_up_) {
    if (link_.is_closed() || run.process() == 0) {
      give_up(&run);
    } else if (const auto request = link_.next(kWhileHeld)) {
      handle(*request, &run);
    }
  }
}

void DebugSession::give_up(WatchedRun* run) {
  if (!run) return;
  was_given_up_ = true;
  run->end();
}

bool DebugSession::attend(WatchedRun& run) {
  if (link_.is_closed() && !was_given_up_) give_up(&run);
  // What is asked after its end is answered when its result is known.
  if (was_given_up_ || run.process() == 0) return false;
  const auto request = link_.next(stands_at_ ? kWhileHeld : kWhileRunning);
  if (request) handle(*request, &run);
  return request || stands_at_;
}

void DebugSession::handle(const DebuggerRequest& request, WatchedRun* run) {
  switch (request.kind) {
    case Kind::kAgain: wants_run_ = is_awaited_ = true; return give_up(run);
    case Kind::kCancel:
      wants_run_ = is_awaited_ = false;
      give_up(run);
      return link_.answer(std::string("cancelled"));
    case Kind::kAttached: is_attached_ = run != nullptr; return;
    case Kind::kRunning: stands_at_.reset(); return;
    case Kind::kWhere: return link_.answer(where(run));
    case Kind::kThreads: return link_.answer(threads(run));
    case Kind::kTable: return link_.answer(table(run));
    case Kind::kGoto:
    case Kind::kStart:
    case Kind::kEnd:
    case Kind::kFailure:
    case Kind::kCritical:
    case Kind::kStep:
    case Kind::kBack:
    case Kind::kSwitch:
    case Kind::kSwitchBack: return go(request, run);
  }
}

void DebugSession::go(const DebuggerRequest& request, WatchedRun* run) {
  const Result<Stop> target = target_of(request, run);
  if (!target) return link_.answer(target.error());
  target_ = *target;
  is_guess_ = request.kind == Kind::kCritical && !deciding_;
  const Way way = way_to(target_, run);
  if (way == Way::kForward) {
    run->stop_next(target_);
    stands_at_.reset();
  }
  link_.answer(way);
}

DebuggerAnswer DebugSession::where(const WatchedRun* run) const {
  if (run) return position(*run);
  if (end_) return *end_;
  return Error{Error::Kind::kUser, "the run has not begun", {}, "`unravel goto start` begins it"};
}

DebuggerAnswer DebugSession::threads(const WatchedRun* run) const {
  if (!run) return Error{Error::Kind::kUser, "no run is there", {}, "`unravel goto` makes one"};
  std::vector<DebuggedThread> all;
  for (const WatchedThread& thread : run->threads()) {
    const wire::ThreadRecord& record = thread.record;
    const bool waits = record.state == wire::ThreadState::kBlocked;
    all.push_back({.thread = record.thread,
                   .kernel_thread = thread.kernel_thread,
                   .has_turn = thread.has_turn,
                   .clock = thread.has_turn ? run->current().clock : record.clock,
                   .state = thread.state,
                   .object = waits ? record.object : 0,
                   .waits_for_thread = waits && record.pending == wire::Operation::kJoin,
                   .held = thread.held});
  }
  return all;
}

DebuggerAnswer DebugSession::table(const WatchedRun* run) {
  if (!run) return Error{Error::Kind::kUser, "no run is there", {}, "`unravel goto` makes one"};
  if (recorded().steps.empty()) {
    const Result<void> made = make_steps(opened_, observer_);
    if (!made) return made.error();
  }
  const std::uint32_t created = run->counters().threads;
  std::map<std::uint32_t, wire::Clock> clocks;
  for (const WatchedThread& thread : run->threads()) {
    clocks[thread.record.thread.ordinal] =
        thread.has_turn ? run->current().clock : thread.record.clock;
  }
  const auto is_done = [&](const Step& step) {
    const std::uint32_t thread = step.event.thread.ordinal;
    const auto clock = clocks.find(thread);
    if (clock == clocks.end()) return thread < created;  // it has ended, or is not there yet
    return step.event.clock <= clock->second;
  };
  const std::vector<Step>& steps = recorded().steps;
  const auto next = std::find_if_not(steps.begin(), steps.end(), is_done);
  const auto done = static_cast<std::size_t>(next - steps.begin());
  const std::size_t begin = done - std::min(done, kRowsAround);
  const std::size_t end = std::min(steps.size(), done + kRowsAround);
  DebuggedTable table{.run = recorded(), .done = done - begin};
  if (end < steps.size()) table.run.failure.reset();
  table.run.steps.assign(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                         steps.begin() + static_cast<std::ptrdiff_t>(end));
  return table;
}

RunPosition DebugSession::position(const WatchedRun& run) const {
  const wire::RunSlot counters = run.counters();
  const wire::ThreadRecord current = run.current();
  RunPosition position{.process = run.process(),
                       .step = counters.steps,
                       .points = recorded().summary.steps,
                       .thread = current.thread,
                       .clock = current.clock};
  for (const WatchedThread& thread : run.threads()) {
    if (thread.has_turn) position.kernel_thread = thread.kernel_thread;
  }
  if (stands_at_ == wire::StopReason::kFailure) position.why = RunPosition::Why::kFailure;
  if (stands_at_ == wire::StopReason::kDivergence) position.why = RunPosition::Why::kDivergence;
  if (stands_at_ == wire::StopReason::kDebugger) {
    position.why =
        run.stop().is_before_switch ? RunPosition::Why::kSwitch : RunPosition::Why::kPlace;
  }
  position.told = told_at(run, position);
  const std::vector<wire::Slice>& slices = recorded().schedule.slices;
  if (counters.slices < slices.size()) {
    const wire::Slice& slice = slices[counters.slices];
    Switch next{
        .from = slice.thread, .at = slice.until, .to = {}, .why = std::string(name(slice.end))};
    if (counters.slices + 1 < slices.size()) next.to = slices[counters.slices + 1].thread;
    position.next_switch = std::move(next);
  }
  return position;
}

std::string DebugSession::told_at(const WatchedRun& run, const RunPosition& position) const {
  if (position.why == RunPosition::Why::kFailure) {
    return recorded().failure ? failure_title(*recorded().failure) : "the recorded run passed";
  }
  if (position.why == RunPosition::Why::kDivergence) {
    const wire::LastWords words = run.last_words();
    return std::string(words.text, strnlen(words.text, sizeof words.text));
  }
  if (is_guess_ && position.why == RunPosition::Why::kSwitch) {
    return "this is the last preemption; `unravel isolate " + recorded().id +
           "` finds out which switch decides";
  }
  const bool is_missed = position.why == RunPosition::Why::kPlace &&
                         target_.kind == Stop::Kind::kStep && position.step > target_.count;
  if (!is_missed || target_.count <= 1) return {};
  return "point " + std::to_string(target_.count) +
         " was passed before the first thread was created; this is the first that can be had";
}

}  // namespace unravel
