/// `unravel hunt`: look for a schedule under which a program fails, or any test of a test binary.
#include "cli/commands.hpp"
#include "cli/each_test.hpp"
#include "cli/hunt_one.hpp"
#include "cli/standard_input.hpp"
#include "report/text.hpp"

namespace unravel {

namespace {

// Where nothing is said: as many runs as find what is there to be found in a small program, and no
// longer than one waits for a test. Of many tests each gets less.
constexpr std::uint64_t kRuns = 10'000;
constexpr auto kTime = std::chrono::minutes(5);
constexpr std::uint64_t kRunsOfTest = 1'000;
constexpr auto kTimeOfTest = std::chrono::seconds(30);

Budget budget_from(const HuntOptions& options) {
  Budget budget;
  budget.stale = options.stale.value_or(0);
  if (options.runs) budget.runs = *options.runs;
  if (options.time) budget.time = *options.time;
  if (!options.runs && !options.time) {
    budget.runs = options.each_test ? kRunsOfTest : kRuns;
    budget.time = options.each_test ? std::chrono::duration<double>(kTimeOfTest)
                                    : std::chrono::duration<double>(kTime);
  }
  return budget;
}

/// The exit status, or the fault that is ours.
Result<int> status_of(const Hunted& hunted, const HuntContext& context) {
  if (const Kept* kept = hunted.unproved()) {
    return internal_error(
        "the failure of run " + kept->run.id + " did not come back when it was replayed",
        kept->differs,
        "please report it, with the output of `unravel show --json " + kept->run.id +
            "`; the failure itself did happen");
  }
  if (hunted.interrupted()) {
    context.console.note(
        "unravel: interrupted; go on with `unravel hunt --resume` and the same "
        "program\n");
    return kUserOrEnvironment;
  }
  const int status = hunted.failed() ? kFailure : kNoFailure;
  if (!hunted.trouble) return status;
  return graver(status, context.console.complain_in_words(*hunted.trouble));
}

/// Our environment is the program's: changed for one test, and back again.
class ChangedEnvironment {
 public:
  explicit ChangedEnvironment(const EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
      const char* before = ::getenv(name.c_str());
      before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
      set(name, value);
    }
  }
  ~ChangedEnvironment() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  ChangedEnvironment(const ChangedEnvironment&) = delete;
  ChangedEnvironment& operator=(const ChangedEnvironment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }

  EnvironmentChanges before_;
};

Result<int> hunt_each_test(const HuntContext& context) {
  const Console& console = context.console;
  const auto tests =
      list_tests(context.options.program, [&] { return context.interruption.happened(); });
  if (!tests) return fail(tests.error());
  std::vector<std::pair<std::string, Hunted>> hunted;
  int status = kNoFailure;
  for (const TestCase& test : *tests) {
    if (!console.options().quiet) {
      console.note("unravel: test " + std::to_string(hunted.size() + 1) + " of " +
                   std::to_string(tests->size()) + ": " + clean(test.name) + "\n");
    }
    if (!test.judged_by.empty()) {
      console.warn(clean(test.name) + ": its exit status is taken for its outcome, not " +
                   test.judged_by.front());
    }
    const ChangedEnvironment environment(test.environment);
    Result<Program> program = find_program(test.arguments);
    if (!program) return fail(program.error());
    if (!test.directory.empty()) program->directory = test.directory;
    Result<Hunted> one = hunt_one(context, *program, budget_from(context.options));
    if (!one) return fail(one.error());
    tell_hunt(*one, context);
    const Result<int> its = status_of(*one, context);
    if (!its) return fail(its.error());
    status = graver(status, *its);
    hunted.emplace_back(test.name, std::move(*one));
    if (hunted.back().second.interrupted()) break;
  }
  std::size_t failed = 0;
  for (const auto& [name, one] : hunted) failed += one.failed();
  console.note("unravel: " + plural(hunted.size(), "test") + ", " +
               (failed ? std::to_string(failed) + " failed" : "no failure") + "\n");
  if (console.options().json) {
    std::vector<TestReport> reports;
    for (const auto& [name, one] : hunted) reports.push_back({name, one.report()});
    console.out(tests_json(reports));
  }
  return status;
}

}  // namespace

Result<int> hunt_command(const HuntOptions& options, const Console& console,
                         Interruption& interruption) {
  const auto strategy = strategy_from(options.strategy);
  if (!strategy) return fail(strategy.error());
  KnownFailures known;
  if (!options.known.empty()) {
    Result<KnownFailures> read = KnownFailures::read(options.known);
    if (!read) return fail(read.error());
    known = std::move(*read);
  }
  if (options.each_test) {
    const std::string nothing;
    return hunt_each_test({options, known, nothing, console, interruption});
  }
  const Result<Program> program = find_program(options.program);
  if (!program) return fail(program.error());
  const Result<std::string> input = read_standard_input(console, interruption);
  if (!input) return fail(input.error());
  const HuntContext context{options, known, *input, console, interruption};
  const Result<Hunted> hunted = hunt_one(context, *program, budget_from(options));
  if (!hunted) return fail(hunted.error());
  if (console.options().json) console.out(hunt_json(hunted->report()));
  tell_hunt(*hunted, context);
  return status_of(*hunted, context);
}

}  // namespace unravel
