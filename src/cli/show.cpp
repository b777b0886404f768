/// `unravel show`: shows a stored run as a table.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/kept_trace.hpp"
#include "investigate/steps.hpp"

namespace unravel {

namespace {

enum class Format { kTable, kStd };

class ShowCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, run_);
    parsed(app, "--rows", rows_, parse_rows, "show all operations, or the last N (default: 40)")
        ->type_name("all|N");
    named(
        option(app, "--format", format_,
               "table, or std: every event of the run, in the STD format of trace analysis tools"),
        std::vector<std::pair<std::string, Format>>{{"table", Format::kTable},
                                                    {"std", Format::kStd}});
    flag(app, "--run", may_run_, "run the program again if its table or trace was not stored");
    app.footer(
        "Examples:\n  unravel show\n  unravel show 3fa --rows all\n\n"
        "Without --run this command only reads the store. The store has no table of a run that "
        "passed.");
  }

  Result<int> run(const CommandContext& context) override {
    Result<OpenedRun> opened = open_run(run_, context.store);
    if (!opened) return fail(opened.error());
    if (format_ == Format::kStd) {
      const Result<Trace> trace = trace_of(*opened, may_run_, context.observer);
      if (!trace) return fail(trace.error());
      context.reporter.trace(*trace);
      return kNoFailure;
    }
    const Run& run = opened->stored.run;
    Result<void> steps;
    if (run.steps.empty() && may_run_) steps = make_steps(*opened, context.observer);
    if (!steps && context.reporter.wants_steps()) return fail(steps.error());
    context.reporter.show({.run = &run,
                           .schedule_file = opened->store.schedule_file(run.id).string(),
                           .rows = rows_,
                           .may_run = may_run_});
    if (!steps) return fail(steps.error());
    return kNoFailure;
  }

 private:
  RunName run_;
  std::size_t rows_ = 40;
  Format format_ = Format::kTable;
  bool may_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_show_command() { return std::make_unique<ShowCommand>(); }

}  // namespace unravel
