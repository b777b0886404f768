#include "cli/flags.hpp"

#include "data/targets.hpp"
#include "run/runner.hpp"

namespace unravel {

void add_common(CLI::App& app, CommonFlags& flags) {
  option(app, "--store", flags.store, "where runs are kept (default: .unravel)")->type_name("DIR");
  flag(app, "--json", flags.json, "one JSON object on standard output, nothing else there");
  flag(app, "--quiet", flags.quiet, "one line of result and nothing else");
  named(option(app, "--color", flags.color, "auto, always or never"),
        std::vector<std::pair<std::string, Color>>{
            {"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}});
}

void add_judging(CLI::App& app, Judging& judging) {
  parsed(app, "--points", judging.points, parse_points,
         "where threads may be switched: sync; calls, memory or auto in a program with hooks")
      ->type_name("SET");
  number(app, "--max-steps", judging.most_steps, "a run of more steps is unresolved", 1);
  duration(app, "--timeout", judging.timeout,
           "a run that computes or stands still for longer is unresolved: 500ms, 10s, 2m");
  named(
      option(
          app, "--timeouts", judging.timeouts,
          "may a timed wait time out although threads can run: near (within 100 ms, or after many "
          "points of others), any, or idle (never)"),
      std::vector<std::pair<std::string, wire::Timeouts>>{{"near", wire::Timeouts::kNear},
                                                          {"any", wire::Timeouts::kAny},
                                                          {"idle", wire::Timeouts::kIdle}});
  option(app, "--oracle", judging.oracle,
         "a shell command that gets the output of a run that ended well and says by its exit "
         "status whether it passed (0), is unresolved (125) or failed")
      ->type_name("COMMAND");
  const auto file = [](const std::string& name) -> Result<std::string> {
    if (name.empty()) return user_error("--expect-output takes the name of a file", "it is empty");
    return name;
  };
  parsed(app, "--expect-output", judging.expected_output, file,
         "what a run that ended well must have written to its standard output, byte for byte")
      ->type_name("FILE");
  const auto size = [](const std::string& text) {
    return parse_size("--max-output", text, RunLimits().most_output);
  };
  parsed(app, "--max-output", judging.most_output, size,
         "of what a run writes to each of standard output and error, keep head and tail up to this "
         "size: 512K, 64M (default: 16M)")
      ->type_name("SIZE");
  parsed<std::vector<std::string>>(
      app, "--target", judging.targets, parse_targets,
      "which failures count: kinds such as deadlock,assert; text:WORDS, in the failure or the "
      "error output; stack:NAME, a part of a function's or file's name")
      ->type_name("KIND,…")
      ->delimiter(',');
  parsed(app, "--skip-status", judging.skip_status, parse_skip_status,
         "a run that exits so was skipped, and is unresolved: a number, or none (default: 77)")
      ->type_name("N|none");
  flag(app, "--allow-untested", judging.allow_untested,
       "exit with 0, not 2, if no run was resolved or no second thread was started");
}

void add_limits(CLI::App& app, Judging& judging) {
  number(app, "--max-steps", judging.most_steps, "look at no more steps of a run", 1);
  duration(app, "--timeout", judging.timeout,
           "how long a run may compute or stand still: 500ms, 10s, 2m");
}

void add_program(CLI::App& app, ProgramFlags& flags) {
  flag(app, "--no-fork", flags.no_fork, "start the program anew for each run");
  flag(app, "--no-sandbox", flags.no_sandbox,
       "let the program write to the real files and use the real network");
  // Its name before the namespaces were called a sandbox: still taken, no longer shown.
  flag(app, "--no-isolation", flags.no_sandbox, "the same as --no-sandbox")->group("");
  app.add_option("program", flags.program, "the program and its arguments, after --")
      ->type_name("-- PROG ARGS");
}

Result<void> check_program(const std::vector<std::string>& program, const std::string& verb,
                           const std::string& example) {
  if (!program.empty()) return {};
  return user_error("which program?", "the program to " + verb + " comes last, after --", example);
}

std::optional<wire::Following> FollowingFlags::following() const {
  if (strict) return wire::Following::kStrict;
  if (lenient) return wire::Following::kLenient;
  return std::nullopt;
}

void add_following(CLI::App& app, FollowingFlags& flags) {
  CLI::Option* strict =
      flag(app, "--strict", flags.strict, "the first mismatch with the schedule is a divergence");
  flag(app, "--lenient", flags.lenient, "follow the schedule as far as that is possible")
      ->excludes(strict);
}

void add_keep_files(CLI::App& app, std::string& directory) {
  option(app, "--keep-files", directory,
         "copy what the failing run wrote there: a directory that is new or empty")
      ->type_name("DIR");
}

CLI::Option* add_run_name(CLI::App& app, std::string& run) {
  return app.add_option("run", run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
}

}  // namespace unravel
