/// `unravel query`: shows where every thread was at one clock of a stored run.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/snapshot.hpp"

namespace unravel {

namespace {

class QueryCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, run_);
    parsed(app, "--at", at_, parse_clock,
           "a thread's clock, as in the first column of `unravel show`")
        ->type_name("CLOCK");
    app.footer(
        "Examples:\n  unravel query --at T1:12\n  unravel query 3fa --at T1:12+37\n\n"
        "T1:12 is right after the 12th operation of T1. T1:12+1 is its first hook after that or, "
        "if\n"
        "there is none, right before its next operation.");
  }

  Result<void> check() override {
    if (at_) return {};
    return fail(parse_clock("").error());
  }

  Result<int> run(const CommandContext& context) override {
    const Result<Snapshot> snapshot = take_snapshot(run_, context.store, *at_, context.observer);
    if (!snapshot) return fail(snapshot.error());
    context.reporter.snapshot(*snapshot);
    return kNoFailure;
  }

 private:
  std::string run_;
  std::optional<wire::StopAt> at_;
};

}  // namespace

std::unique_ptr<Command> make_query_command() { return std::make_unique<QueryCommand>(); }

}  // namespace unravel
