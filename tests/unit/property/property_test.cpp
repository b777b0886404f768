#include "property/property.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

namespace unravel::property {
namespace {

using std::chrono::duration;

/// A folder that is removed with all that is in it.
class Property : public testing::Test {
 protected:
  Property() {
    std::string name = (std::filesystem::temp_directory_path() / "property-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    settings_ = {.name = "Suite.Name",
                 .seeds = {1},
                 .limit = duration<double>(1000),
                 .clock = [] { return duration<double>(0); },
                 .failing_cases = folder_ / "failing_cases"};
  }
  ~Property() override { std::filesystem::remove_all(folder_); }

  std::string failing_cases() const {
    std::ifstream file(settings_.failing_cases);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// The numbers that a property draws with these seeds.
  std::vector<int> drawn(std::vector<std::uint64_t> seeds) {
    std::vector<int> numbers;
    settings_.seeds = std::move(seeds);
    try_property(rc::detail::toProperty([&](int number) { numbers.push_back(number); }), settings_);
    return numbers;
  }

  int run(const std::string& command) const {
    return system(("cd '" + folder_.string() + "' && (" + command + ") >/dev/null 2>&1").c_str());
  }

  std::filesystem::path folder_;
  Settings settings_;
};

TEST_F(Property, TakesItsSeedFromTheHashOfACommit) {
  EXPECT_EQ(seed_of_commit("00000000000000ff1111111111111111aaaaaaaa"), 255U);
  EXPECT_EQ(seed_of_commit("ffffffffffffffff"), ~std::uint64_t{0});
  EXPECT_EQ(seed_of_commit("00000000000000f"), std::nullopt);
  EXPECT_EQ(seed_of_commit("fatal: not a git"), std::nullopt);
  EXPECT_EQ(seed_of_commit(""), std::nullopt);
}

TEST_F(Property, HasAnotherSeedForEveryCommitAndTheSameForOne) {
  ASSERT_EQ(run("git init -q . && git config user.name a && git config user.email a@b &&"
                "git commit -q --allow-empty -m 1"),
            0);
  const std::uint64_t first = seed_of_folder(folder_);
  EXPECT_EQ(seed_of_folder(folder_), first);
  ASSERT_EQ(run("git commit -q --allow-empty -m 2"), 0);

  EXPECT_NE(seed_of_folder(folder_), first);
  EXPECT_NE(first, kSeedWithoutCommit);
}

TEST_F(Property, HasAFixedSeedWithoutACommit) {
  EXPECT_EQ(seed_of_folder(folder_), kSeedWithoutCommit);
  ASSERT_EQ(run("git init -q ."), 0);
  EXPECT_EQ(seed_of_folder(folder_), kSeedWithoutCommit);
  ASSERT_EQ(run("mkdir inner"), 0);
  EXPECT_EQ(seed_of_folder(folder_ / "inner"), kSeedWithoutCommit);
}

TEST_F(Property, ReadsTheSeedsOfOnePropertyInTheirOrder) {
  const std::string text =
      "# a comment\n"
      "Suite.Name 7\n"
      "Suite.NameOfAnother 8\n"
      "Suite.Name 5 an empty list was refused\n"
      "Suite.Name seven\n"
      "\n"
      "Suite.Name 7\n"
      "Suite.Name 18446744073709551615";

  EXPECT_EQ(failing_seeds(text, "Suite.Name"),
            (std::vector<std::uint64_t>{7, 5, 18446744073709551615U}));
  EXPECT_TRUE(failing_seeds(text, "Suite").empty());
  EXPECT_TRUE(failing_seeds("", "Suite.Name").empty());
}

TEST_F(Property, DrawsTheSameCasesForOneSeedAndOthersForAnother) {
  EXPECT_EQ(drawn({1}).size(), 100U);
  EXPECT_EQ(drawn({1}), drawn({1}));
  EXPECT_NE(drawn({1}), drawn({2}));
}

TEST_F(Property, TriesItsSeedsInTheirOrder) {
  const std::vector<int> first = drawn({7});
  const std::vector<int> second = drawn({3});
  std::vector<int> both = first;
  both.insert(both.end(), second.begin(), second.end());

  EXPECT_EQ(drawn({7, 3}), both);
}

TEST_F(Property, SavesTheSeedOfACaseThatFailsOnce) {
  const auto never = rc::detail::toProperty([](int number) { RC_ASSERT(number < 5); });
  settings_.seeds = {4, 9};

  const Result result = try_property(never, settings_);

  // The simplest case is told, and what to do.
  EXPECT_NE(result.failure.find("5"), std::string::npos) << result.failure;
  EXPECT_NE(result.failure.find("Suite.Name 4"), std::string::npos) << result.failure;
  EXPECT_EQ(failing_cases(), "Suite.Name 4\n");
  EXPECT_FALSE(try_property(never, settings_).failure.empty());
  EXPECT_EQ(failing_cases(), "Suite.Name 4\n");
}

TEST_F(Property, SavesNothingThatHolds) {
  const Result result = try_property(rc::detail::toProperty([](int) {}), settings_);

  EXPECT_EQ(result.failure, "");
  EXPECT_FALSE(result.ran_out_of_time);
  EXPECT_EQ(failing_cases(), "");
}

TEST_F(Property, StopsDrawingWhenItsTimeIsUp) {
  int cases = 0;
  settings_.limit = duration<double>(10);
  settings_.clock = [&] { return duration<double>(cases); };

  const Result result = try_property(rc::detail::toProperty([&](int) { ++cases; }), settings_);

  EXPECT_EQ(cases, 10);
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.ran_out_of_time);
}

TEST_F(Property, StopsSimplifyingWhenItsTimeIsUp) {
  // With the seed 1 a list of six is drawn within 50 cases; to simplify it takes far more than 50.
  int cases = 0;
  const auto fails = rc::detail::toProperty([&](const std::vector<int>& numbers) {
    ++cases;
    RC_ASSERT(std::set<int>(numbers.begin(), numbers.end()).size() < 6U);
  });
  try_property(fails, settings_);
  const int without_limit = cases;
  cases = 0;
  settings_.limit = duration<double>(50);
  settings_.clock = [&] { return duration<double>(cases); };

  const Result result = try_property(fails, settings_);

  EXPECT_NE(result.failure, "");
  EXPECT_TRUE(result.ran_out_of_time);
  EXPECT_LE(cases, 101);
  EXPECT_GT(without_limit, 101);
}

// What `check` itself does: a real property, through the macro.
PROPERTY(PropertyMacro, DrawsArgumentsAndValues, (int number)) {
  const int other = *rc::gen::inRange(0, 10);
  RC_ASSERT(other >= 0 && other < 10);
  RC_ASSERT(number == number);
}

}  // namespace
}  // namespace unravel::property
