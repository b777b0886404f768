#include "cli/option_parts.hpp"

namespace unravel {

void add_hunt(CLI::App& app, ParsedFlags& flags) {
  CLI::App* hunt = app.add_subcommand("hunt", "look for a schedule under which a program fails");
  HuntOptions& options = flags.hunt;
  option(*hunt, "--strategy", options.strategy,
         "portfolio (default), or some of random, pct, pos, pairs, reads-from, starvation")
      ->type_name("NAME,…");
  number(*hunt, "--runs", options.runs, "at most this many (default: 10000, or as --for has it)",
         1);
  option(*hunt, "--for", flags.most_time,
         "at most so long, the explanation of a failure included: 30s, 10m, 8h")
      ->type_name("TIME");
  number(*hunt, "--stop-when-stale", options.stale,
         "end when so many runs in a row have shown nothing new", 1);
  number(*hunt, "--jobs", options.jobs, "workers at a time (default: one for each CPU)", 1);
  number(*hunt, "--seed", options.seed, "a new one each time if left out", 0);
  flag(*hunt, "--explore", options.explore, "go on after a failure; keep one run for each");
  flag(*hunt, "--find-only", options.find_only, "stop when a failure was found and replayed");
  flag(*hunt, "--each-test", options.each_test,
       "hunt in each test of a GoogleTest binary, or of a CTest build directory, by itself");
  flag(*hunt, "--resume", options.resume,
       "go on with the latest hunt in this program that was interrupted");
  option(*hunt, "--known", options.known,
         "a file: keys of failures that are known and not to be reported, one in a line")
      ->type_name("FILE");
  flag(*hunt, "--no-fork", flags.no_fork, "start the program anew for each run");
  add_no_sandbox(*hunt, flags);
  add_judge(*hunt, options.judge, flags);
  add_common(*hunt, flags.line.common);
  hunt->add_option("program", options.program, "the program and its arguments, after --")
      ->type_name("-- PROG ARGS");
  hunt->footer(
      "Example:\n  unravel hunt --for 10m -- ./prog --its-own-option\n\n"
      "A failure is replayed three times before it is reported, and kept: see `unravel show`.\n"
      "Exit status: 0 no failure, 1 failure, 2 nothing was tested: no run was resolved, or no\n"
      "second thread was started.");
}

void add_check(CLI::App& app, ParsedFlags& flags) {
  CLI::App* check =
      app.add_subcommand("check", "try kept failures on the program as it is now: are they fixed?");
  CheckOptions& options = flags.check;
  check->add_option("run", options.runs, "ids or their beginnings; all verified failures")
      ->type_name("RUN|all");
  number(*check, "--neighbours", options.neighbours,
         "in another build, try so many runs near the one that failed (default: 200)", 1);
  add_common(*check, flags.line.common);
  check->footer(
      "Examples:\n  unravel check\n  unravel check 3fa --neighbours 1000\n\n"
      "Exit status: 0 no failure came back, 1 one did or another was seen, 2 one should have come\n"
      "back and did not, or nothing was tested.");
}

}  // namespace unravel
