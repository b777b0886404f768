#include "property/property.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <sstream>
#include <unordered_map>

namespace unravel::property {
namespace {

using Seconds = std::chrono::duration<double>;
using rc::Shrinkable;
using rc::detail::CaseDescription;
using rc::detail::CaseResult;

// Properties take at most 3 s today (measured on two cores), and GoogleTests are ended after 120 s.
constexpr Seconds kLimit{20};

/// Processor time of this process: a loaded machine must not try fewer cases.
Seconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// The time that is left for the cases of one seed.
class Budget {
 public:
  Budget(Seconds limit, std::function<Seconds()> clock)
      : limit_(limit), clock_(std::move(clock)), start_(clock_()) {}

  bool spent() {
    if (clock_() - start_ < limit_) return false;
    ran_out_ = true;
    return true;
  }
  void restart() { start_ = clock_(); }
  bool ran_out() const { return ran_out_; }

 private:
  Seconds limit_;
  std::function<Seconds()> clock_;
  Seconds start_;
  bool ran_out_ = false;
};

using SharedBudget = std::shared_ptr<Budget>;

/// The same case; it has no simpler ones once the budget is spent.
Shrinkable<CaseDescription> bounded(const Shrinkable<CaseDescription>& drawn,
                                    const SharedBudget& budget) {
  return rc::shrinkable::lambda(
      [=] { return drawn.value(); },
      [=] {
        auto simpler = rc::seq::takeWhile(
            drawn.shrinks(), [=](const Shrinkable<CaseDescription>&) { return !budget->spent(); });
        return rc::seq::map(std::move(simpler), [=](const Shrinkable<CaseDescription>& one) {
          return bounded(one, budget);
        });
      });
}

/// The same property; it draws no case once the budget is spent: what is left then counts as tried.
rc::detail::Property bounded(const rc::detail::Property& property, const SharedBudget& budget) {
  return [=](const rc::Random& random, int size) -> Shrinkable<CaseDescription> {
    if (!budget->spent()) return bounded(property(random, size), budget);
    CaseDescription not_tried;
    not_tried.result.type = CaseResult::Type::Success;
    return rc::shrinkable::just(std::move(not_tried));
  };
}

/// Gives a case that fails the full budget again, to be simplified.
class Watcher final : public rc::detail::TestListener {
 public:
  explicit Watcher(SharedBudget budget) : budget_(std::move(budget)) {}

  void onTestCaseFinished(const CaseDescription& description) override {
    if (description.result.type == CaseResult::Type::Failure) budget_->restart();
  }
  void onShrinkTried(const CaseDescription&, bool) override {}
  void onTestFinished(const rc::detail::TestMetadata&, const rc::detail::TestResult&) override {}

 private:
  SharedBudget budget_;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One line, in one write: tests run beside each other.
void append_failing_case(const Settings& settings, std::uint64_t seed) {
  const auto known = failing_seeds(read_file(settings.failing_cases), settings.name);
  if (std::find(known.begin(), known.end(), seed) != known.end()) return;
  std::ofstream file(settings.failing_cases, std::ios::app);
  file << settings.name + " " + std::to_string(seed) + "\n" << std::flush;
}

std::string message(const rc::detail::TestResult& result) {
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  return text.str();
}

bool succeeded(const rc::detail::TestResult& result) {
  return result.is<rc::detail::SuccessResult>();
}

}  // namespace

std::optional<std::uint64_t> seed_of_commit(std::string_view hash) {
  constexpr std::size_t kDigits = 16;
  if (hash.size() < kDigits) return std::nullopt;
  std::uint64_t seed = 0;
  const char* end = hash.data() + kDigits;
  const auto [stop, error] = std::from_chars(hash.data(), end, seed, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return seed;
}

std::uint64_t seed_of_folder(const std::filesystem::path& folder) {
  // --git-dir: a repository around a tree without git is none of ours.
  const std::string command =
      "git --git-dir='" + (folder / ".git").string() + "' rev-parse --verify HEAD 2>/dev/null";
  FILE* git = popen(command.c_str(), "r");
  if (!git) return kSeedWithoutCommit;
  std::string hash(40, '\0');
  hash.resize(fread(hash.data(), 1, hash.size(), git));
  pclose(git);
  return seed_of_commit(hash).value_or(kSeedWithoutCommit);
}

std::vector<std::uint64_t> failing_seeds(std::string_view text, std::string_view name) {
  std::vector<std::uint64_t> seeds;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string property;
    std::uint64_t seed = 0;
    if (!(words >> property >> seed) || property != name) continue;
    if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) seeds.push_back(seed);
  }
  return seeds;
}

Result try_property(const rc::detail::Property& property, const Settings& settings) {
  Result result;
  for (const std::uint64_t seed : settings.seeds) {
    rc::detail::TestParams params;
    params.seed = seed;
    const auto budget = std::make_shared<Budget>(settings.limit, settings.clock);
    Watcher watcher(budget);
    const auto outcome = rc::detail::checkProperty(
        bounded(property, budget), {settings.name, settings.name}, params, watcher, {});
    result.ran_out_of_time |= budget->ran_out();
    if (succeeded(outcome)) continue;
    append_failing_case(settings, seed);
    result.failure = message(outcome) + "\n\nThis case is drawn first from now on: the line '" +
                     settings.name + " " + std::to_string(seed) + "' is in " +
                     settings.failing_cases.string() +
                     ".\nTo keep it for others, add the line to tests/failing_cases.";
    return result;
  }
  return result;
}

void check(const rc::detail::Property& property) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  Settings settings;
  settings.name = std::string(test->test_suite_name()) + "." + test->name();
  settings.limit = kLimit;
  settings.clock = processor_time;
  if (getenv("RC_PARAMS")) {
    const auto outcome = rc::detail::checkProperty(
        bounded(property, std::make_shared<Budget>(kLimit, processor_time)),
        {settings.name, settings.name});
    if (!succeeded(outcome)) FAIL() << message(outcome);
    return;
  }

  const std::filesystem::path source = UNRAVEL_SOURCE_FOLDER;
  settings.failing_cases = std::filesystem::path(UNRAVEL_BUILD_FOLDER) / "failing_cases";
  settings.seeds = failing_seeds(
      read_file(source / "tests/failing_cases") + "\n" + read_file(settings.failing_cases),
      settings.name);
  settings.seeds.push_back(seed_of_folder(source));
  const Result result = try_property(property, settings);
  if (!result.failure.empty()) FAIL() << result.failure;
  if (result.ran_out_of_time) {
    std::cout << "not all cases were tried: " << settings.limit.count()
              << " s of processor time are used up\n";
  }
}

}  // namespace unravel::property
