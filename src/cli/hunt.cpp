/// `unravel hunt`: looks for a schedule under which a program, or a test of a test binary, fails.
#include "investigate/hunt.hpp"

#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/standard_input.hpp"

namespace unravel {

namespace {

// The default budget, chosen by hand: enough runs for a small program, in a time that a person
// waits for a test. With --each-test, every test gets less.
constexpr std::uint64_t kRuns = 10'000;
constexpr auto kTime = std::chrono::minutes(5);
constexpr std::uint64_t kRunsOfTest = 1'000;
constexpr auto kTimeOfTest = std::chrono::seconds(30);

// With a client, every worker keeps what its current run got from it. Chosen by hand.
constexpr std::uint64_t kMostInput = std::uint64_t{64} << 20;

class HuntCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    option(app, "--strategy", request_.strategy,
           "portfolio (default), or one or more of " + other_strategies())
        ->type_name("NAME,…");
    number(app, "--runs", runs_,
           "stop after this many runs (default: 10000, or no limit with --for)", 1);
    duration(app, "--for", request_.time,
             "stop after this time, including the explanation of a failure: 30s, 10m, 8h");
    number(app, "--stop-when-stale", stale_, "stop when this many runs in a row showed nothing new",
           1);
    number(app, "--jobs", request_.jobs,
           "make this many runs at the same time (default: one per CPU)", 1);
    number(app, "--seed", request_.seed, "seed of the hunt (default: a new one each time)", 0);
    flag(app, "--explore", request_.goes_on,
         "continue after a failure; store one run of each failure");
    flag(app, "--find-only", find_only_,
         "do not explain the failure: stop when it was found and replayed");
    flag(app, "--each-test", each_test_,
         "hunt separately in each test of a GoogleTest binary or a CTest build directory");
    flag(app, "--resume", request_.resumes, "continue the latest interrupted hunt of this program");
    option(app, "--known", known_,
           "file with the keys of known failures, one per line; they are not reported")
        ->type_name("FILE");
    add_program(app, program_);
    add_client(app, client_);
    add_max_input(app, request_.most_input, "with --with: ", "64M");
    add_judging(app, request_.judging);
    app.footer(
        "Example:\n  unravel hunt --for 10m -- ./prog --its-own-option\n\n"
        "Every failure is replayed three times, then reported and stored: see `unravel show`.\n"
        "Exit status: 0 no failure, 1 failure, 2 nothing was tested: no run was resolved, or no\n"
        "second thread was started.");
  }

  std::vector<std::string>* program() override { return &program_.program; }

  Result<void> check() override {
    const Result<void> there =
        check_program(program_.program, "hunt in", "unravel hunt -- ./prog its arguments");
    if (!there) return there;
    if (request_.resumes && request_.seed) {
      return user_error("--resume and --seed cannot be combined",
                        "a resumed hunt continues with its own seed", "leave out one of them");
    }
    if (request_.resumes && each_test_) {
      return user_error("--resume and --each-test cannot be combined",
                        "--each-test always starts with the first test", "leave out --resume");
    }
    if (const Result<void> good = check_client(); !good) return good;
    request_.explains = !find_only_;
    request_.fork_server = !program_.no_fork;
    request_.sandbox = !program_.no_sandbox;
    set_budget();
    return {};
  }

  Result<int> run(const CommandContext& context) override {
    const auto strategy = strategy_from(request_.strategy);
    if (!strategy) return fail(strategy.error());
    request_.store = context.store;
    if (!known_.empty()) {
      Result<KnownFailures> known = KnownFailures::read(known_);
      if (!known) return fail(known.error());
      request_.known = std::move(*known);
    }
    if (each_test_) return hunt_each_test(context);
    const Result<Program> program = find_program(program_.program);
    if (!program) return fail(program.error());
    Result<std::string> input = read_standard_input(context.observer);
    if (!input) return fail(input.error());
    request_.input = std::move(*input);
    const Result<Hunted> hunted = hunt(request_, *program, context.observer);
    if (!hunted) return fail(hunted.error());
    context.reporter.hunted(*hunted, request_.judging.allow_untested, /*among_tests=*/false);
    return status_of(*hunted, context.reporter, request_.judging.allow_untested);
  }

 private:
  Result<void> check_client() {
    Result<ClientCommand> client = client_from(client_);
    if (!client) return fail(client.error());
    request_.client = std::move(*client);
    if (request_.client.command.empty()) {
      if (!request_.most_input) return {};
      return user_error("--max-input has no effect without --with",
                        "a hunt records inputs only of its failures", "leave it out");
    }
    if (each_test_) {
      return user_error(
          "--with and --each-test cannot be combined",
          "a client is made for one server, and every test is a program of its own",
          "hunt in one test: unravel hunt --with COMMAND -- ./test --gtest_filter=NAME");
    }
    if (!request_.most_input) request_.most_input = kMostInput;
    return {};
  }

  void set_budget() {
    Budget& budget = request_.budget;
    budget.stale = stale_.value_or(0);
    if (runs_) budget.runs = *runs_;
    if (request_.time) budget.time = *request_.time;
    if (runs_ || request_.time) return;
    budget.runs = each_test_ ? kRunsOfTest : kRuns;
    budget.time = each_test_ ? std::chrono::duration<double>(kTimeOfTest)
                             : std::chrono::duration<double>(kTime);
  }

  /// Reports what went wrong in a hunt; returns the exit status.
  static int status_of(const Hunted& hunted, Reporter& reporter, bool allows_untested) {
    int status = hunted.failed() ? kFoundFailure : kNoFailure;
    if (const FoundFailure* ours = hunted.unproved(/*is_our_fault=*/true)) {
      reporter.trouble(not_reproduced(ours->run, *ours->verification));
      status = graver(status, kOurFault);
    }
    if (hunted.trouble) {
      reporter.trouble(*hunted.trouble);
      status = graver(status, exit_status(*hunted.trouble));
    }
    if (hunted.unproved(/*is_our_fault=*/false)) status = graver(status, kUserOrEnvironment);
    if (hunted.interrupted()) return graver(status, kUserOrEnvironment);
    if (!hunted.found.empty()) return status;
    return graver(status, exit_status(hunted.outcome(), allows_untested));
  }

  Result<int> hunt_each_test(const CommandContext& context) const {
    const auto tests = list_tests(program_.program, [&] { return context.observer.interrupted(); });
    if (!tests) return fail(tests.error());
    std::vector<HuntedTest> hunted;
    const bool allows_untested = request_.judging.allow_untested;
    int status = kNoFailure;
    bool any_tested = false;
    for (const TestCase& test : *tests) {
      context.reporter.test(test.name, hunted.size() + 1, tests->size());
      if (!test.judged_by.empty()) {
        context.reporter.warn(test.name +
                              ": unravel judges this test by its exit status and ignores " +
                              test.judged_by.front());
      }
      Result<Hunted> one = hunt_in_test(request_, test, context.observer);
      if (!one) {
        // The results of the other tests still count.
        const bool interrupted = context.observer.interrupted();
        const Error error = interrupted ? interrupted_error() : one.error();
        context.reporter.trouble(error);
        status = graver(status, exit_status(error));
        if (interrupted) break;
        continue;
      }
      context.reporter.hunted(*one, allows_untested, /*among_tests=*/true);
      // Tests without threads do not count as untested, as long as some tests have threads.
      status = graver(status, status_of(*one, context.reporter,
                                        one->has_nothing_to_interleave() || allows_untested));
      any_tested = any_tested || one->explored.tested();
      hunted.push_back({test.name, std::move(*one)});
      if (hunted.back().hunted.interrupted()) break;
    }
    if (!any_tested && !allows_untested) status = graver(status, kUserOrEnvironment);
    context.reporter.tests(hunted);
    return status;
  }

  HuntRequest request_;
  ProgramFlags program_;
  ClientFlags client_;
  std::optional<std::uint64_t> runs_;
  std::optional<std::uint64_t> stale_;
  std::string known_;  // a file with keys of failures; empty: none
  bool find_only_ = false;
  bool each_test_ = false;
};

}  // namespace

std::unique_ptr<Command> make_hunt_command() { return std::make_unique<HuntCommand>(); }

}  // namespace unravel
