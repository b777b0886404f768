/// `unravel doctor`: does unravel control this program? If not, why?
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/standard_input.hpp"
#include "investigate/examination.hpp"

namespace unravel {

namespace {

// Chosen by hand: programs were seen that behave differently only after 15 seconds.
constexpr std::chrono::milliseconds kLater{20'000};

class DoctorCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    request_.later = kLater;
    number(app, "--runs", request_.runs, "repeat one schedule this many times (default: 5)", 2);
    number(app, "--seed", request_.seed, "seed of the schedule (default: 1)", 0);
    add_limits(app, request_.judging);
    const auto later = [](const std::string& text) -> Result<std::chrono::milliseconds> {
      if (text == "0") return std::chrono::milliseconds(0);
      return parse_duration(text);
    };
    parsed(app, "--later", request_.later, later,
           "repeat it once more after this time, to find what depends on time; 0: never "
           "(default: 20s)")
        ->type_name("TIME");
    app.add_option("program", program_, "the program and its arguments, after --")
        ->type_name("-- PROG ARGS");
    app.footer(
        "Example:\n  unravel doctor -- ./prog --its-own-option\n\n"
        "Exit status: 0 controlled, 1 a run differed or something is not controlled.");
  }

  std::vector<std::string>* program() override { return &program_; }

  Result<void> check() override {
    return check_program(program_, "examine", "unravel doctor -- ./prog its arguments");
  }

  Result<int> run(const CommandContext& context) override {
    const Result<Program> program = find_program(program_);
    if (!program) return fail(program.error());
    Result<std::string> input = read_standard_input(context.observer);
    if (!input) return fail(input.error());
    request_.input = std::move(*input);
    request_.store = context.store;
    const Result<Checkup> checkup = examine(request_, *program, context.observer);
    if (!checkup) return fail(checkup.error());
    context.reporter.checkup(*checkup);
    return checkup->controlled() ? kNoFailure : kFoundFailure;
  }

 private:
  ExaminationRequest request_;
  std::vector<std::string> program_;
};

}  // namespace

std::unique_ptr<Command> make_doctor_command() { return std::make_unique<DoctorCommand>(); }

}  // namespace unravel
