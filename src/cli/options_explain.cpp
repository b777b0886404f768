#include "cli/option_parts.hpp"

namespace unravel {

void add_simplify(CLI::App& app, ParsedFlags& flags) {
  CLI::App* simplify = app.add_subcommand(
      "simplify", "make a failing run as simple as it can be: fewer switches, the same failure");
  SimplifyOptions& options = flags.simplify;
  simplify->add_option("run", options.run, "its id or the beginning of it; the latest failure")
      ->type_name("RUN");
  number(*simplify, "--suffix", options.suffix, "change only its last N slices", 1);
  number(*simplify, "--runs", options.runs,
         "make about N (default: two for every five switches, and 18; more while it gets simpler)",
         1);
  option(*simplify, "--for", flags.most_time, "at most so long: 30s, 10m")->type_name("TIME");
  number(*simplify, "--jobs", options.jobs, "workers at a time (default: one for each CPU)", 1);
  add_common(*simplify, flags.line.common);
  simplify->footer(
      "Examples:\n  unravel simplify\n  unravel simplify 3fa --for 10m\n\n"
      "The simplified run is kept beside the one that it was made from.");
}

void add_isolate(CLI::App& app, ParsedFlags& flags) {
  CLI::App* isolate = app.add_subcommand(
      "isolate", "find the switch that decides between passing and failing, to the point");
  IsolateOptions& options = flags.isolate;
  isolate
      ->add_option("run", options.run,
                   "its id or the beginning of it; the latest failure; near one that passed, a "
                   "run that fails is looked for")
      ->type_name("RUN");
  option(*isolate, "--passing", options.passing,
         "compare it with this one; else a run near it that passes is looked for")
      ->type_name("RUN");
  number(*isolate, "--width", options.width,
         "look for that by moving switches by about N points at first (default: 1)", 1);
  number(*isolate, "--tests", options.tests,
         "make at most N to find the other run, and to compare (default: 1000)", 1);
  flag(*isolate, "--others-fail", options.others_fail,
       "take any other failure for a failure, too; else it says nothing");
  number(*isolate, "--jobs", options.jobs, "workers at a time (default: one for each CPU)", 1);
  add_common(*isolate, flags.line.common);
  isolate->footer(
      "Examples:\n  unravel isolate\n  unravel isolate 3fa --passing 77c\n\n"
      "The two runs that are nearest to each other are kept: see `unravel list`.");
}

void add_diff(CLI::App& app, ParsedFlags& flags) {
  CLI::App* diff = app.add_subcommand("diff", "show two runs of one program side by side");
  diff->add_option("runs", flags.two_runs, "their ids or the beginnings of them")
      ->type_name("RUN RUN");
  option(*diff, "--rows", flags.rows_around,
         "how many rows that are alike around those that are not: all, or N (default: 3)")
      ->type_name("all|N");
  flag(*diff, "--run", flags.diff.runs,
       "run their program once more for tables that were not kept");
  add_common(*diff, flags.line.common);
  diff->footer(
      "Examples:\n  unravel diff 3fa 90c\n  unravel diff 3fa 90c --rows all\n\n"
      "Between the sides: < only the left run has the step, > only the right one, ~ both have it,\n"
      "but another value or object; · an access that the other one went past without a row.");
}

}  // namespace unravel
