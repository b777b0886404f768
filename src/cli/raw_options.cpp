#include "cli/raw_options.hpp"

#include "cli/values.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

Result<void> check_judge(JudgeOptions& judge, const Raw& raw) {
  if (!raw.points.empty()) {
    const auto points = parse_points(raw.points);
    if (!points) return fail(points.error());
    judge.points = *points;
  }
  if (!raw.timeout.empty()) {
    const auto timeout = parse_duration(raw.timeout);
    if (!timeout) return fail(timeout.error());
    judge.timeout = *timeout;
  }
  if (!raw.skip_status.empty()) {
    const auto status = parse_skip_status(raw.skip_status);
    if (!status) return fail(status.error());
    judge.skip_status = *status;
  }
  if (!raw.most_output.empty()) {
    const auto size = parse_size("--max-output", raw.most_output, RunLimits().most_output);
    if (!size) return fail(size.error());
    judge.most_output = *size;
  }
  if (judge.expected_output && judge.expected_output->empty()) {
    return user_error("--expect-output takes the name of a file", "it is empty");
  }
  const auto targets = parse_targets(raw.targets);
  if (!targets) return fail(targets.error());
  judge.targets = *targets;
  return {};
}

StrictOrLenient following(const Raw& raw) {
  if (raw.strict) return wire::Following::kStrict;
  if (raw.lenient) return wire::Following::kLenient;
  return std::nullopt;
}

Result<void> set_trace(Raw& raw) {
  if (!raw.trace) {
    const bool asks = raw.values || !raw.window.empty();
    if (!asks) return {};
    return user_error(std::string(raw.values ? "--values" : "--window") + " is about a trace", {},
                      "add --trace");
  }
  if (raw.lenient) {
    return user_error("a trace is of the run that was kept: --lenient could follow another one");
  }
  TraceOptions& trace = raw.replay.trace.emplace();
  trace.values = raw.values;
  if (raw.window.empty()) return {};
  const auto window = parse_window(raw.window);
  if (!window) return fail(window.error());
  trace.window = *window;
  return {};
}

Result<void> set_diff(Raw& raw) {
  const std::size_t named = raw.two_runs.size();
  if (named != 2) {
    return user_error("`unravel diff` takes two runs",
                      named < 2 ? (named == 0 ? "none was named" : "only one was named")
                                : std::to_string(named) + " were named",
                      "`unravel list` shows those that were kept");
  }
  raw.diff.left = raw.two_runs[0];
  raw.diff.right = raw.two_runs[1];
  const auto around = parse_rows(raw.rows_around);
  if (!around) return fail(around.error());
  raw.diff.around = *around;
  return {};
}

}  // namespace

Result<CommandLine> finish(const std::string& command, Raw& raw,
                           const std::vector<std::string>& program) {
  if (raw.line.common.store.empty()) raw.line.common.store = kStoreDirectory;
  if (command == "run" || command == "record") {
    RunOptions& run = raw.run;
    run.program.insert(run.program.end(), program.begin(), program.end());
    run.following = following(raw);
    run.fork_server = !raw.no_fork;
    run.isolation = !raw.no_isolation;
    const Result<void> good = check_judge(run.judge, raw);
    if (!good) return fail(good.error());
    if (command == "record") {
      const auto tick = parse_duration(raw.tick);
      if (!tick) return fail(tick.error());
      run.tick = *tick;
    }
    const Result<void> fits = check_run(run);
    if (!fits) return fail(fits.error());
    raw.line.command = run;
  } else if (command == "hunt") {
    HuntOptions& hunt = raw.hunt;
    hunt.program.insert(hunt.program.end(), program.begin(), program.end());
    hunt.fork_server = !raw.no_fork;
    hunt.isolation = !raw.no_isolation;
    const Result<void> good = check_judge(hunt.judge, raw);
    if (!good) return fail(good.error());
    if (!raw.most_time.empty()) {
      const auto time = parse_duration(raw.most_time);
      if (!time) return fail(time.error());
      hunt.time = *time;
    }
    const Result<void> fits = check_hunt(hunt);
    if (!fits) return fail(fits.error());
    raw.line.command = hunt;
  } else if (command == "doctor") {
    DoctorOptions& doctor = raw.doctor;
    doctor.program.insert(doctor.program.end(), program.begin(), program.end());
    const Result<void> good = check_judge(doctor.judge, raw);
    if (!good) return fail(good.error());
    if (raw.later != "0") {
      const auto later = parse_duration(raw.later);
      if (!later) return fail(later.error());
      doctor.later = *later;
    }
    const Result<void> fits = check_doctor(doctor);
    if (!fits) return fail(fits.error());
    raw.line.command = doctor;
  } else if (command == "races") {
    RacesOptions& races = raw.races;
    races.program = program;
    const Result<void> good = check_judge(races.judge, raw);
    if (!good) return fail(good.error());
    const Result<void> fits = check_races(races);
    if (!fits) return fail(fits.error());
    raw.line.command = races;
  } else if (!program.empty()) {
    return user_error("`unravel " + command + "` takes no program",
                      "it works on runs that were kept", "`unravel run -- PROGRAM` runs one");
  } else if (command == "check") {
    raw.line.command = raw.check;
  } else if (command == "simplify") {
    if (!raw.most_time.empty()) {
      const auto time = parse_duration(raw.most_time);
      if (!time) return fail(time.error());
      raw.simplify.time = *time;
    }
    raw.line.command = raw.simplify;
  } else if (command == "isolate") {
    raw.line.command = raw.isolate;
  } else if (command == "replay") {
    raw.replay.following = following(raw);
    const Result<void> good = check_judge(raw.replay.judge, raw);
    if (!good) return fail(good.error());
    const Result<void> traced = set_trace(raw);
    if (!traced) return fail(traced.error());
    raw.line.command = raw.replay;
  } else if (command == "show") {
    const auto rows = parse_rows(raw.rows);
    if (!rows) return fail(rows.error());
    raw.show.rows = *rows;
    raw.line.command = raw.show;
  } else if (command == "diff") {
    const Result<void> good = set_diff(raw);
    if (!good) return fail(good.error());
    raw.line.command = raw.diff;
  } else if (command == "query") {
    const auto at = parse_moment(raw.at);
    if (!at) return fail(at.error());
    raw.query.at = *at;
    raw.line.command = raw.query;
  } else {
    raw.line.command = ListOptions{};
  }
  return raw.line;
}

}  // namespace unravel
