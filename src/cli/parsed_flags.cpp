#include "cli/parsed_flags.hpp"

#include "cli/values.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

Result<void> check_judge(JudgeOptions& judge, const ParsedFlags& flags) {
  if (!flags.points.empty()) {
    const auto points = parse_points(flags.points);
    if (!points) return fail(points.error());
    judge.points = *points;
  }
  if (!flags.timeout.empty()) {
    const auto timeout = parse_duration(flags.timeout);
    if (!timeout) return fail(timeout.error());
    judge.timeout = *timeout;
  }
  if (!flags.skip_status.empty()) {
    const auto status = parse_skip_status(flags.skip_status);
    if (!status) return fail(status.error());
    judge.skip_status = *status;
  }
  if (!flags.most_output.empty()) {
    const auto size = parse_size("--max-output", flags.most_output, RunLimits().most_output);
    if (!size) return fail(size.error());
    judge.most_output = *size;
  }
  if (judge.expected_output && judge.expected_output->empty()) {
    return user_error("--expect-output takes the name of a file", "it is empty");
  }
  const auto targets = parse_targets(flags.targets);
  if (!targets) return fail(targets.error());
  judge.targets = *targets;
  return {};
}

StrictOrLenient following(const ParsedFlags& flags) {
  if (flags.strict) return wire::Following::kStrict;
  if (flags.lenient) return wire::Following::kLenient;
  return std::nullopt;
}

Result<void> set_trace(ParsedFlags& flags) {
  if (!flags.trace) {
    const bool asks = flags.values || !flags.window.empty();
    if (!asks) return {};
    return user_error(std::string(flags.values ? "--values" : "--window") + " is about a trace", {},
                      "add --trace");
  }
  if (flags.lenient) {
    return user_error("a trace is of the run that was kept: --lenient could follow another one");
  }
  TraceOptions& trace = flags.replay.trace.emplace();
  trace.values = flags.values;
  if (flags.window.empty()) return {};
  const auto window = parse_window(flags.window);
  if (!window) return fail(window.error());
  trace.window = *window;
  return {};
}

Result<void> set_diff(ParsedFlags& flags) {
  const std::size_t named = flags.two_runs.size();
  if (named != 2) {
    return user_error("`unravel diff` takes two runs",
                      named < 2 ? (named == 0 ? "none was named" : "only one was named")
                                : std::to_string(named) + " were named",
                      "`unravel list` shows those that were kept");
  }
  flags.diff.left = flags.two_runs[0];
  flags.diff.right = flags.two_runs[1];
  const auto around = parse_rows(flags.rows_around);
  if (!around) return fail(around.error());
  flags.diff.around = *around;
  return {};
}

}  // namespace

Result<CommandLine> to_command(const std::string& command, ParsedFlags& flags,
                               const std::vector<std::string>& program) {
  if (flags.line.common.store.empty()) flags.line.common.store = kStoreDirectory;
  if (command == "run" || command == "record") {
    RunOptions& run = flags.run;
    run.program.insert(run.program.end(), program.begin(), program.end());
    run.following = following(flags);
    run.fork_server = !flags.no_fork;
    run.sandbox = !flags.no_sandbox;
    const Result<void> good = check_judge(run.judge, flags);
    if (!good) return fail(good.error());
    if (command == "record") {
      const auto tick = parse_duration(flags.tick);
      if (!tick) return fail(tick.error());
      run.tick = *tick;
    }
    const Result<void> fits = check_run(run);
    if (!fits) return fail(fits.error());
    flags.line.command = run;
  } else if (command == "hunt") {
    HuntOptions& hunt = flags.hunt;
    hunt.program.insert(hunt.program.end(), program.begin(), program.end());
    hunt.fork_server = !flags.no_fork;
    hunt.sandbox = !flags.no_sandbox;
    const Result<void> good = check_judge(hunt.judge, flags);
    if (!good) return fail(good.error());
    if (!flags.most_time.empty()) {
      const auto time = parse_duration(flags.most_time);
      if (!time) return fail(time.error());
      hunt.time = *time;
    }
    const Result<void> fits = check_hunt(hunt);
    if (!fits) return fail(fits.error());
    flags.line.command = hunt;
  } else if (command == "doctor") {
    DoctorOptions& doctor = flags.doctor;
    doctor.program.insert(doctor.program.end(), program.begin(), program.end());
    const Result<void> good = check_judge(doctor.judge, flags);
    if (!good) return fail(good.error());
    if (flags.later != "0") {
      const auto later = parse_duration(flags.later);
      if (!later) return fail(later.error());
      doctor.later = *later;
    }
    const Result<void> fits = check_doctor(doctor);
    if (!fits) return fail(fits.error());
    flags.line.command = doctor;
  } else if (command == "races") {
    RacesOptions& races = flags.races;
    races.program = program;
    const Result<void> good = check_judge(races.judge, flags);
    if (!good) return fail(good.error());
    const Result<void> fits = check_races(races);
    if (!fits) return fail(fits.error());
    flags.line.command = races;
  } else if (!program.empty()) {
    return user_error("`unravel " + command + "` takes no program",
                      "it works on runs that were kept", "`unravel run -- PROGRAM` runs one");
  } else if (command == "check") {
    flags.line.command = flags.check;
  } else if (command == "simplify") {
    if (!flags.most_time.empty()) {
      const auto time = parse_duration(flags.most_time);
      if (!time) return fail(time.error());
      flags.simplify.time = *time;
    }
    flags.line.command = flags.simplify;
  } else if (command == "isolate") {
    flags.line.command = flags.isolate;
  } else if (command == "replay") {
    flags.replay.following = following(flags);
    const Result<void> good = check_judge(flags.replay.judge, flags);
    if (!good) return fail(good.error());
    const Result<void> traced = set_trace(flags);
    if (!traced) return fail(traced.error());
    flags.line.command = flags.replay;
  } else if (command == "show") {
    const auto rows = parse_rows(flags.rows);
    if (!rows) return fail(rows.error());
    flags.show.rows = *rows;
    flags.line.command = flags.show;
  } else if (command == "diff") {
    const Result<void> good = set_diff(flags);
    if (!good) return fail(good.error());
    flags.line.command = flags.diff;
  } else if (command == "query") {
    const auto at = parse_clock(flags.at);
    if (!at) return fail(at.error());
    flags.query.at = *at;
    flags.line.command = flags.query;
  } else {
    flags.line.command = ListOptions{};
  }
  return flags.line;
}

}  // namespace unravel
