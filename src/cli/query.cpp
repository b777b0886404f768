/// `unravel query`: shows where every thread was at some moments of a stored run.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/snapshot.hpp"

namespace unravel {

namespace {

class QueryCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, run_);
    parsed<std::vector<std::string>>(
        app, "--at", stops_, parse_stops,
        "a thread's clock, as in the first column of `unravel show`, or a count of points that all "
        "threads have passed; may be given several times")
        ->type_name("CLOCK")
        ->expected(1)
        ->allow_extra_args(false)  // what follows the value is RUN
        ->take_all();
    app.footer(
        "Examples:\n  unravel query --at T1:12\n  unravel query 3fa --at T1:12+37 --at T2:5 --at "
        "4711\n\n"
        "T1:12 is right after the 12th operation of T1. T1:12+1 is its first hook after that or, "
        "if\n"
        "there is none, right before its next operation. 4711 is where the run passes its 4711th "
        "point,\n"
        "counted over all threads.");
  }

  Result<void> check() override {
    if (!stops_.empty()) return {};
    return fail(parse_stop("").error());
  }

  Result<int> run(const CommandContext& context) override {
    const Result<std::vector<Snapshot>> snapshots =
        take_snapshots(run_, context.store, stops_, context.observer);
    if (!snapshots) return fail(snapshots.error());
    context.reporter.snapshots(*snapshots);
    return kNoFailure;
  }

 private:
  RunName run_;
  std::vector<NamedStop> stops_;
};

}  // namespace

std::unique_ptr<Command> make_query_command() { return std::make_unique<QueryCommand>(); }

}  // namespace unravel
