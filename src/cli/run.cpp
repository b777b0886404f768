/// `unravel run`: one controlled run, or several until one fails. `unravel record`: one run in
/// which threads are preempted by a tick, much as natively.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/keep_files.hpp"
#include "cli/schedule_argument.hpp"
#include "cli/standard_input.hpp"
#include "investigate/runs.hpp"

namespace unravel {

namespace {

/// The common part of both commands.
class RunsCommand : public Command {
 public:
  std::vector<std::string>* program() override { return &program_.program; }

  Result<int> run(const CommandContext& context) override {
    const Result<void> free = check_keep_files(keep_files_);
    if (!free) return fail(free.error());
    Result<Program> program = find_program(program_.program);
    if (!program) return fail(program.error());
    request_.program = std::move(*program);
    if (!schedule_.empty()) {
      Result<Schedule> schedule = read_schedule_argument(schedule_);
      if (!schedule) return fail(schedule.error());
      request_.schedule = std::move(*schedule);
      request_.following = following_.following();
    }
    request_.fork_server = !program_.no_fork;
    request_.sandbox = !program_.no_sandbox;
    request_.records_inputs = !no_inputs_;
    if (catch_all_) request_.catch_calls = wire::CatchCalls::kYes;
    if (no_files_) request_.catch_calls = wire::CatchCalls::kNo;
    request_.store = context.store;
    Result<std::string> input = read_standard_input(context.observer);
    if (!input) return fail(input.error());
    request_.input = std::move(*input);
    Result<std::unique_ptr<Runs>> runs = Runs::prepare(request_, context.observer);
    if (!runs) return fail(runs.error());
    const Result<Ran> ran = (*runs)->perform();
    if (!ran) return fail(ran.error());
    return report(*ran, **runs, context);
  }

 protected:
  void add_shared_flags(CLI::App& app) {
    add_program(app, program_);
    add_keep_files(app, keep_files_);
    flag(app, "--no-inputs", no_inputs_, "do not record what the program gets from outside");
    flag(app, "--catch-all", catch_all_,
         "record large files, too; an error if this kernel cannot catch system calls");
    flag(app, "--no-files", no_files_,
         "do not record files, directories and what the C library asks by itself");
    add_max_input(app, request_.most_input, "", "256M");
    add_client(app, client_);
    add_judging(app, request_.judging);
  }

  /// What both commands refuse.
  Result<void> check_shared() {
    Result<ClientCommand> client = client_from(client_);
    if (!client) return fail(client.error());
    request_.client = std::move(*client);
    if (!request_.client.command.empty() && no_inputs_) {
      return user_error("--with and --no-inputs cannot be combined",
                        "the client does not do the same again, so a replay needs what it sent",
                        "leave out --no-inputs");
    }
    if (program_.no_sandbox && !keep_files_.empty()) {
      return user_error("--keep-files and --no-sandbox cannot be combined",
                        "without the sandbox, files are already where the program wrote them");
    }
    return {};
  }

  RunsRequest request_;
  ClientFlags client_;
  ProgramFlags program_;
  FollowingFlags following_;
  std::string schedule_;  // its string, or a file; empty: none
  std::string keep_files_;
  bool no_inputs_ = false;
  bool catch_all_ = false;
  bool no_files_ = false;

 private:
  Result<int> report(const Ran& ran, Runs& runs, const CommandContext& context) const {
    const bool allows_untested = request_.judging.allow_untested;
    context.reporter.ran(ran, allows_untested);
    if (const auto trouble = ran.trouble()) return fail(*trouble);
    int status = ran.unkept ? exit_status(*ran.unkept) : kNoFailure;
    // A failure that was seen counts even if it was not reproduced.
    status = graver(status, exit_status(ran.outcome(), allows_untested && !ran.is_doubtful()));
    if (!ran.run || keep_files_.empty()) return status;
    const Result<std::uint64_t> files = runs.keep_files(keep_files_);
    if (!files) {
      context.reporter.trouble(files.error());
      return graver(status, exit_status(files.error()));
    }
    context.reporter.note(kept_files_text(*files, keep_files_));
    return status;
  }
};

class RunCommand final : public RunsCommand {
 public:
  void add_flags(CLI::App& app) override {
    option(app, "--schedule", schedule_, "follow this schedule: its string, or a file")
        ->type_name("S");
    add_following(app, following_);
    std::vector<std::pair<std::string, wire::RuleKind>> rules;
    for (std::uint8_t kind = 0; kind < wire::kRuleKindCount; ++kind) {
      rules.emplace_back(wire::kRuleNames[kind], static_cast<wire::RuleKind>(kind));
    }
    named(option(app, "--rule", request_.rule,
                 "which thread runs next when no schedule is given: " + in_words(rules)),
          rules);
    number(app, "--seed", request_.seed, "seed of the rule (default: a new one each time)", 0);
    option(
        app, "--probability", request_.probability,
        "probability of a switch at each point, for --rule random (default: drawn from the seed)")
        ->type_name("P")
        ->check(CLI::Range(0.0, 1.0).description(""));
    number(app, "--runs", request_.runs, "try this many seeds; stop at the first failure", 1);
    add_shared_flags(app);
    app.footer(
        "Example:\n  unravel run --rule random --runs 1000 -- ./prog --its-own-option\n\n"
        "Every failure is replayed three times, then reported and stored: see `unravel show`.\n"
        "Exit status: 0 no failure, 1 failure, 2 nothing was tested: no run was resolved, or no\n"
        "second thread was started.");
  }

  Result<void> check() override {
    const Result<void> there =
        check_program(program_.program, "run", "unravel run -- ./prog its arguments");
    if (!there) return there;
    if (!schedule_.empty() && request_.runs) {
      return user_error("--runs and --schedule cannot be combined",
                        "a schedule describes one run; --runs tries several seeds",
                        "leave out one of them");
    }
    if (schedule_.empty() && following_.following()) {
      return user_error("--strict and --lenient need a schedule", {}, "add --schedule S");
    }
    if (const Result<void> good = check_shared(); !good) return good;
    if (request_.probability && request_.rule != wire::RuleKind::kRandom) {
      return user_error("--probability works only with --rule random");
    }
    return {};
  }
};

class RecordCommand final : public RunsCommand {
 public:
  void add_flags(CLI::App& app) override {
    duration(app, "--tick", request_.tick,
             "how long a thread runs before it is preempted (default: 10ms)");
    add_shared_flags(app);
    app.footer(
        "Example:\n  unravel record --tick 5ms -- ./prog --its-own-option\n\n"
        "A thread is preempted at its first point after a tick. Threads take turns in the order "
        "in\n"
        "which they became runnable.");
  }

  Result<void> check() override {
    // Similar to a kernel's time slice. Chosen by hand.
    if (!request_.tick) request_.tick = std::chrono::milliseconds(10);
    if (const Result<void> good = check_shared(); !good) return good;
    return check_program(program_.program, "run", "unravel record -- ./prog its arguments");
  }
};

}  // namespace

std::unique_ptr<Command> make_run_command() { return std::make_unique<RunCommand>(); }
std::unique_ptr<Command> make_record_command() { return std::make_unique<RecordCommand>(); }

}  // namespace unravel
