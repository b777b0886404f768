/// `unravel check`: are stored failures fixed in the current program?
#include "investigate/check.hpp"

#include "cli/command.hpp"
#include "cli/flags.hpp"

namespace unravel {

namespace {

/// Any failure counts, whether it is the old one or a new one.
int status_of(const std::vector<Checked>& all) {
  int status = kNoFailure;
  for (const Checked& one : all) {
    if (one.is_trouble) status = graver(status, kUserOrEnvironment);
    if (one.verdict == CheckVerdict::kStillFails) status = graver(status, kFoundFailure);
    for (const OtherFailure& other : one.others) {
      status = graver(status, other.verified ? kFoundFailure : kUserOrEnvironment);
    }
  }
  return status;
}

class CheckCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    app.add_option(
           "run", request_.runs,
           "ids of runs, their first characters, or files of packed runs (default: all verified "
           "failures)")
        ->type_name("RUN|all");
    add_program_source(app, request_.program, request_.trusts_program);
    number(app, "--neighbours", request_.neighbours,
           "for another build: try this many schedules near the failing one (default: 200)", 1);
    app.footer(
        "Examples:\n  unravel check\n  unravel check 3fa --neighbours 1000\n\n"
        "Exit status: 0 no failure was seen, 1 an old or a new failure was seen, 2 a failure of "
        "the "
        "same\nbuild did not come back, or nothing was tested.");
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    const auto each = [&](const Checked& checked) { context.reporter.checked(checked); };
    const Result<CheckReport> report = check_kept(request_, each, context.observer);
    if (!report) return fail(report.error());
    context.reporter.checks(report->all);
    if (!report->trouble) return status_of(report->all);
    context.reporter.trouble(*report->trouble);
    return graver(status_of(report->all), exit_status(*report->trouble));
  }

 private:
  CheckRequest request_;
};

}  // namespace

std::unique_ptr<Command> make_check_command() { return std::make_unique<CheckCommand>(); }

}  // namespace unravel
