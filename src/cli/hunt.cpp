/// `unravel hunt`: look for a schedule under which a program fails, or any test of a test binary.
#include <algorithm>
#include <map>

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

/// A hunt's exit status, with what is to be said about it. That nothing was tested is somebody
/// else's to tell where there are several tests.
int status_of(const Hunted& hunted, const HuntContext& context, bool allow_untested) {
  int status = hunted.failed() ? kFailure : kNoFailure;
  if (const Kept* ours = hunted.unproved(/*is_our_fault=*/true)) {
    const Error error = not_reproduced(ours->run, *ours->verification);
    status = graver(status, context.console.complain_in_words(error));
  }
  if (hunted.trouble) {
    status = graver(status, context.console.complain_in_words(*hunted.trouble));
  }
  if (hunted.unproved(/*is_our_fault=*/false)) status = graver(status, kUserOrEnvironment);
  if (hunted.interrupted()) {
    context.console.note(
        "unravel: interrupted; go on with `unravel hunt --resume` and the same "
        "program\n");
    return graver(status, kUserOrEnvironment);
  }
  if (!hunted.kept.empty()) return status;
  return graver(status, exit_status(hunted.outcome(), allow_untested));
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

/// Another run of it would be the same.
bool has_nothing_to_interleave(const Hunted& hunted) {
  return hunted.reason() == Reason::kNoSecondThread || hunted.reason() == Reason::kChildren ||
         hunted.reason() == Reason::kSkipped;
}

using HuntedTests = std::vector<std::pair<std::string, Hunted>>;

/// `3 tests, 1 failed`, and a line for each reason for which some of them tested nothing.
std::string summary_of(const HuntedTests& tests) {
  std::size_t failed = 0;
  std::map<std::string, std::string> untested;  // names, by why
  for (const auto& [name, one] : tests) {
    failed += one.failed();
    if (one.outcome() != Outcome::kUnresolved || !one.kept.empty()) continue;
    std::string why = one.why();
    if (one.reason() == Reason::kNoSecondThread) why = "no second thread";
    std::string& names = untested[why.empty() ? "no run was resolved" : why];
    names += (names.empty() ? "" : ", ") + clean(name);
  }
  const bool any = std::any_of(tests.begin(), tests.end(),
                               [](const auto& test) { return test.second.explored.tested(); });
  const std::string verdict = failed ? std::to_string(failed) + " failed"
                              : any  ? std::string("no failure")
                                     : std::string("nothing was tested");
  std::string text = "unravel: " + plural(tests.size(), "test") + ", " + verdict + "\n";
  for (const auto& [why, names] : untested) text += "  " + clean(why) + ": " + names + "\n";
  return text;
}

Result<Hunted> hunt_test(const HuntContext& context, const TestCase& test) {
  const ChangedEnvironment environment(test.environment);
  Result<Program> program = find_program(test.arguments);
  if (!program) return fail(program.error());
  if (!test.directory.empty()) program->directory = test.directory;
  HuntOptions options = context.options;
  if (test.skip_status && !options.judge.skip_status) {
    options.judge.skip_status.emplace(test.skip_status);
  }
  return hunt_one({options, context.known, context.input, context.console, context.interruption},
                  *program, budget_from(options));
}

Result<int> hunt_each_test(const HuntContext& context) {
  const Console& console = context.console;
  const auto tests =
      list_tests(context.options.program, [&] { return context.interruption.happened(); });
  if (!tests) return fail(tests.error());
  HuntedTests hunted;
  int status = kNoFailure;
  bool any_tested = false;
  for (const TestCase& test : *tests) {
    if (!console.options().quiet) {
      console.note("unravel: test " + std::to_string(hunted.size() + 1) + " of " +
                   std::to_string(tests->size()) + ": " + clean(test.name) + "\n");
    }
    if (!test.judged_by.empty()) {
      console.warn(clean(test.name) + ": its exit status is taken for its outcome, not " +
                   test.judged_by.front());
    }
    Result<Hunted> one = hunt_test(context, test);
    if (!one) {
      // What others have shown is not forgotten for it.
      const bool interrupted = context.interruption.happened();
      const Error error = interrupted ? Interruption::error() : one.error();
      status = graver(status, console.complain_in_words(error));
      if (interrupted) break;
      continue;
    }
    tell_hunt(*one, context);
    // Of many tests some have no threads: that is a matter of those that have.
    const bool allowed = has_nothing_to_interleave(*one) || context.options.judge.allow_untested;
    status = graver(status, status_of(*one, context, allowed));
    any_tested = any_tested || one->explored.tested();
    hunted.emplace_back(test.name, std::move(*one));
    if (hunted.back().second.interrupted()) break;
  }
  if (!any_tested && !context.options.judge.allow_untested) {
    status = graver(status, kUserOrEnvironment);
  }
  console.note(summary_of(hunted));
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
  return status_of(*hunted, context, options.judge.allow_untested);
}

}  // namespace unravel
