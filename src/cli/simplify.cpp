/// `unravel simplify`: reduces the switches of a failing run.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/simplified_run.hpp"

namespace unravel {

namespace {

class SimplifyCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run);
    number(app, "--suffix", request_.effort.suffix, "change only the last N slices of the run", 1);
    number(app, "--runs", request_.effort.runs,
           "make about N runs (default: 18 plus two for every five switches; more while it gets "
           "simpler)",
           1);
    duration(app, "--for", request_.effort.time, "stop after this time: 30s, 10m");
    number(app, "--jobs", request_.jobs,
           "make this many runs at the same time (default: one per CPU)", 1);
    app.footer(
        "Examples:\n  unravel simplify\n  unravel simplify 3fa --for 10m\n\n"
        "The simplified run is stored in addition to the original one.");
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    request_.effort.usual = !request_.effort.runs && !request_.effort.time;
    const Result<SimplifiedKept> kept = simplify_kept(request_, context.observer);
    if (!kept) return fail(kept.error());
    const bool interrupted = context.observer.interrupted();
    context.reporter.simplified({.run = &kept->simple.run,
                                 .told = &kept->simple.told,
                                 .unkept = kept->why_unkept ? &*kept->why_unkept : nullptr,
                                 .interrupted = interrupted});
    if (kept->why_unkept) return exit_status(*kept->why_unkept);
    return interrupted ? kUserOrEnvironment : kNoFailure;
  }

 private:
  SimplifyRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_simplify_command() { return std::make_unique<SimplifyCommand>(); }

}  // namespace unravel
