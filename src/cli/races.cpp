/// `unravel races`: finds data races in a stored run or in new runs of a program.
#include "investigate/races.hpp"

#include "base/files.hpp"
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/standard_input.hpp"
#include "report/failure_text.hpp"

namespace unravel {

namespace {

class RacesCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run);
    number(app, "--runs", request_.runs, "number of runs of a program to analyse (default: 10)", 1);
    number(app, "--seed", request_.seed, "seed of their schedules (default: 1)", 0);
    option(app, "--suppressions", suppressions_,
           "file with known races, in lines such as function:NAME, file:NAME or variable:NAME")
        ->type_name("FILE");
    add_limits(app, request_.judging);
    app.footer(
        "Examples:\n  unravel races -- ./prog\n  unravel races 3fa\n\n"
        "Exit status: 0 no race, 1 races were found.");
  }

  std::vector<std::string>* program() override { return &program_; }

  Result<void> check() override {
    if (program_.empty() || request_.run.empty()) return {};
    return user_error("`unravel races` takes a stored run or a program, not both",
                      "'" + request_.run.text + "' comes before --, and a program after it",
                      "options of the program come after its name");
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    const Result<void> read = read_suppressions();
    if (!read) return fail(read.error());
    Result<RacesFound> found =
        program_.empty() ? find_races_in_run(request_, context.observer) : in_program(context);
    if (!found) return fail(found.error());
    if (found->odd) warn_of(*found->odd, context.reporter);
    context.reporter.races(found->report);
    const int status = found->report.races.empty() ? kNoFailure : kFoundFailure;
    if (!found->trouble) return status;
    context.reporter.trouble(*found->trouble);
    return graver(status, exit_status(*found->trouble));
  }

 private:
  Result<void> read_suppressions() {
    if (suppressions_.empty()) return {};
    const Result<std::string> text = read_text_file(suppressions_);
    if (!text) return fail(text.error());
    Result<Suppressions> parsed = Suppressions::parse(*text, suppressions_);
    if (!parsed) return fail(parsed.error());
    request_.suppressions = std::move(*parsed);
    return {};
  }

  Result<RacesFound> in_program(const CommandContext& context) {
    Result<Program> program = find_program(program_);
    if (!program) return fail(program.error());
    Result<std::string> input = read_standard_input(context.observer);
    if (!input) return fail(input.error());
    request_.input = std::move(*input);
    return find_races_in_program(request_, *program, context.observer);
  }

  /// A run that did not pass says nothing about races after its end.
  static void warn_of(const Run& run, Reporter& reporter) {
    for (const std::string& warning : run.warnings) reporter.warn(warning);
    if (run.summary.outcome == Outcome::kPassed) return;
    if (run.summary.reason == Reason::kNoSecondThread || run.summary.reason == Reason::kChildren) {
      reporter.warn("there is nothing that can race: " + run.explanation);
      return;
    }
    reporter.warn("a run did not pass, so races after its end were not seen: " +
                  outcome_line(run, Paint(false)));
  }

  RacesRequest request_;
  std::string suppressions_;          // a file; empty: none
  std::vector<std::string> program_;  // empty: a stored run
};

}  // namespace

std::unique_ptr<Command> make_races_command() { return std::make_unique<RacesCommand>(); }

}  // namespace unravel
