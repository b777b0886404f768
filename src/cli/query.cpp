/// `unravel query`: where every thread was at one moment of a kept run.
#include <algorithm>

#include "cli/build_ids.hpp"
#include "cli/commands.hpp"
#include "cli/stored_run.hpp"
#include "data/print.hpp"
#include "report/failure_text.hpp"
#include "report/json.hpp"

namespace unravel {

namespace {

/// Where a thread of a run was left last; nothing if there was no such thread.
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
                      "its last one is " + print(wire::ThreadId{.ordinal = most}));
  }
  if (at.clock > *last) {
    return user_error(print(at.thread, at.clock) + " was never reached in run " + run.id,
                      "the last clock of that thread was " + print(at.thread, *last));
  }
  return {};
}

/// Of a clock that is not behind the last one of its thread.
Error passed_by(const Run& run, const wire::StopAt& at) {
  const wire::Clock last = *last_clock(run.schedule, at.thread);
  const std::string until = "the last clock of that thread was " + print(at.thread, last);
  return {Error::Kind::kUser, print(at.thread, at.clock) + " was never reached in run " + run.id,
          at.clock == last
              ? until + ", and with it the thread ended"
              : until +
                    "; it made fewer hooks before its next operation, or made this operation "
                    "before the first thread was created",
          "`unravel show --rows all " + run.id + "` has the clocks of its operations"};
}

}  // namespace

Result<int> query_command(const QueryOptions& options, const Console& console,
                          Interruption& interruption) {
  Result<OpenedRun> opened = open_run(options.run, console.options().store);
  if (!opened) return fail(opened.error());
  const Run& run = opened->stored.run;
  const Result<void> exists = check_clock(run, options.at);
  if (!exists) return fail(exists.error());
  const Result<void> same = check_same_build(run.schedule);
  if (!same) return fail(same.error());
  Result<std::unique_ptr<RunnerLease>> worker = start_like(*opened, {}, interruption);
  if (!worker) return fail(worker.error());

  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.stop_at = options.at;
  const Result<Run> again = (*worker)->runner().run(request);
  if (!again) return fail(again.error());
  if (!again->snapshot) {
    if (again->summary.outcome == Outcome::kDiverged) {
      return user_error("run " + run.id + " could not be followed to " +
                            print(options.at.thread, options.at.clock),
                        again->explanation, "`unravel doctor -- PROGRAM` tells what differs");
    }
    return fail(passed_by(run, options.at));
  }
  const Snapshot& moment = *again->snapshot;
  if (console.options().json) {
    console.out(snapshot_json(moment));
  } else if (console.options().quiet) {
    console.out(snapshot_line(moment) + "\n");
  } else {
    console.out(snapshot_line(moment) + ":\n" + snapshot_text(moment, console.out_paint()));
  }
  return kNoFailure;
}

}  // namespace unravel
