#include "investigate/snapshot.hpp"

#include <algorithm>

#include "data/print.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

namespace {

/// The last clock of a thread; nothing if the run has no such thread.
std::optional<wire::Clock> last_clock(const Schedule& schedule, wire::ThreadId thread) {
  std::optional<wire::Clock> last;
  for (const wire::Slice& slice : schedule.slices) {
    if (slice.thread == thread) last = slice.until;
  }
  return last;
}

Result<void> check_clock(const Run& run, const wire::StopAt& at) {
  const std::optional<wire::Clock> last = last_clock(run.schedule, at.thread);
  if (!last) {
    std::uint32_t most = 0;
    for (const wire::Slice& slice : run.schedule.slices) {
      most = std::max(most, slice.thread.ordinal);
    }
    return user_error("run " + run.id + " has no thread " + print(at.thread),
                      "its last thread is " + print(wire::ThreadId{.ordinal = most}));
  }
  if (at.clock > *last) {
    return user_error(print(at.thread, at.clock) + " was never reached in run " + run.id,
                      "the last clock of that thread was " + print(at.thread, *last));
  }
  return {};
}

/// The error for a clock that the thread skipped. It is not after the thread's last clock.
Error passed_by(const Run& run, const wire::StopAt& at) {
  const wire::Clock last = *last_clock(run.schedule, at.thread);
  const std::string until = "the last clock of that thread was " + print(at.thread, last);
  return {
      Error::Kind::kUser, print(at.thread, at.clock) + " was never reached in run " + run.id,
      at.clock == last
          ? until + ", where it ended"
          : until +
                "; it made fewer hooks there, or made this operation before the first thread was "
                "created",
      "`unravel show --rows all " + run.id + "` shows the clocks of its operations"};
}

}  // namespace

Result<Snapshot> take_snapshot(const std::string& name, const std::string& store,
                               const wire::StopAt& at, Observer& observer) {
  Result<OpenedRun> opened = open_run(name, store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> exists = check_clock(run, at);
  if (!exists) return fail(exists.error());
  const Result<void> same = check_same_build(run.schedule);
  if (!same) return fail(same.error());
  Result<std::unique_ptr<RunnerLease>> lease = start_like(*opened, {}, observer);
  if (!lease) return fail(lease.error());

  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.stop_at = at;
  Result<Run> again = (*lease)->get().run(request);
  if (!again) return fail(again.error());
  if (again->snapshot) return std::move(*again->snapshot);
  if (again->summary.outcome == Outcome::kDiverged) {
    return user_error("run " + run.id + " could not be followed to " + print(at.thread, at.clock),
                      again->explanation, "`unravel doctor -- PROGRAM` shows what differs");
  }
  return fail(passed_by(run, at));
}

}  // namespace unravel
