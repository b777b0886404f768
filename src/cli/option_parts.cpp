#include "cli/option_parts.hpp"

namespace unravel {

void add_common(CLI::App& app, CommonOptions& common) {
  option(app, "--store", common.store, "where runs are kept (default: .unravel)")->type_name("DIR");
  flag(app, "--json", common.json, "one JSON object on standard output, nothing else there");
  flag(app, "--quiet", common.quiet, "one line of result and nothing else");
  named(option(app, "--color", common.color, "auto, always or never"),
        std::vector<std::pair<std::string, Color>>{
            {"auto", Color::kAuto}, {"always", Color::kAlways}, {"never", Color::kNever}});
}

void add_judge(CLI::App& app, JudgeOptions& judge, ParsedFlags& flags) {
  option(app, "--points", flags.points,
         "where threads may be switched: sync; calls, memory or auto in a program with hooks")
      ->type_name("SET");
  number(app, "--max-steps", judge.most_steps, "a run of more steps is unresolved", 1);
  option(app, "--timeout", flags.timeout,
         "a run that computes or stands still for longer is unresolved: 500ms, 10s, 2m")
      ->type_name("TIME");
  named(
      option(
          app, "--timeouts", judge.timeouts,
          "may a timed wait time out although threads can run: near (within 100 ms, or after many "
          "points of others), any, or idle (never)"),
      std::vector<std::pair<std::string, wire::Timeouts>>{{"near", wire::Timeouts::kNear},
                                                          {"any", wire::Timeouts::kAny},
                                                          {"idle", wire::Timeouts::kIdle}});
  option(app, "--oracle", judge.oracle,
         "a shell command that gets the output of a run that ended well and says by its exit "
         "status whether it passed (0), is unresolved (125) or failed")
      ->type_name("COMMAND");
  option(app, "--expect-output", judge.expected_output,
         "what a run that ended well must have written to its standard output, byte for byte")
      ->type_name("FILE");
  option(app, "--max-output", flags.most_output,
         "of what a run writes to each of standard output and error, keep head and tail up to this "
         "size: 512K, 64M (default: 16M)")
      ->type_name("SIZE");
  option(app, "--target", flags.targets,
         "which failures count: kinds such as deadlock,assert; text:WORDS, in the failure or the "
         "error output; stack:NAME, a part of a function's or file's name")
      ->type_name("KIND,…")
      ->delimiter(',');
  option(app, "--skip-status", flags.skip_status,
         "a run that exits so was skipped, and is unresolved: a number, or none (default: 77)")
      ->type_name("N|none");
  flag(app, "--allow-untested", judge.allow_untested,
       "exit with 0, not 2, if no run was resolved or no second thread was started");
}

void add_no_sandbox(CLI::App& app, ParsedFlags& flags) {
  flag(app, "--no-sandbox", flags.no_sandbox,
       "let the program write to the real files and use the real network");
  // Its name before the namespaces were called a sandbox: still taken, no longer shown.
  flag(app, "--no-isolation", flags.no_sandbox, "the same as --no-sandbox")->group("");
}

}  // namespace unravel
