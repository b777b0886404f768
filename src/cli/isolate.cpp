/// `unravel isolate`: finds the switch that decides between passing and failing.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/isolated_runs.hpp"

namespace unravel {

namespace {

class IsolateCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run)
        ->description(
            "id of a run, its first characters, or the file of a packed run (default: the latest "
            "failure); if the run "
            "passed, "
            "isolate searches for a failing run near it");
    option(app, "--passing", request_.passing,
           "compare with this passing run (default: search for one near the failing run)")
        ->type_name("RUN");
    number(app, "--width", request_.width,
           "start that search by moving switches by about N points (default: 1)", 1);
    number(app, "--tests", request_.tests,
           "make at most N runs for that search, and N to compare (default: 1000)", 1);
    flag(app, "--others-fail", request_.others_fail,
         "count any failure, not only the original one");
    number(app, "--jobs", request_.jobs,
           "make this many runs at the same time (default: one per CPU)", 1);
    app.footer(
        "Examples:\n  unravel isolate\n  unravel isolate 3fa --passing 77c\n\n"
        "The passing and the failing run that differ least are stored: see `unravel list`.");
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    const Result<IsolatedRuns> isolated = isolate_kept(request_, context.observer);
    if (!isolated) return fail(isolated.error());
    const bool is_narrowed = isolated->narrowed.passing.has_value();
    IsolatedReport report;
    if (is_narrowed) report.told = &isolated->narrowed.told;
    if (isolated->nearby) report.nearby = &*isolated->nearby;
    for (const Run& run : isolated->unkept) report.unkept.push_back(&run);
    // If nothing was narrowed down, this error is the result of the command.
    if (is_narrowed && isolated->why_unkept) report.why_unkept = &*isolated->why_unkept;
    report.interrupted = context.observer.interrupted();
    context.reporter.isolated(report);
    if (!is_narrowed) return fail(*isolated->why_unkept);
    if (isolated->why_unkept) return exit_status(*isolated->why_unkept);
    return report.interrupted ? kUserOrEnvironment : kNoFailure;
  }

 private:
  IsolateRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_isolate_command() { return std::make_unique<IsolateCommand>(); }

}  // namespace unravel
