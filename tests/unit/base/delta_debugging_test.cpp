/// Delta debugging: the paper's example, minimal for whatever the tests say, billions at no cost.
#include "base/delta_debugging.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "property/property.hpp"

namespace unravel {
namespace {

/// Asks a function, for so many tests.
class Subject final : public DeltaSubject {
 public:
  using Function = std::function<DeltaOutcome(const DeltaCounts&)>;
  explicit Subject(Function function) : function_(std::move(function)) {}

  Result<std::optional<DeltaOutcome>> test(const DeltaCounts& counts) override {
    if (asked.size() == most) return most_error ? fail(*most_error) : result_of_none();
    asked.push_back(counts);
    return function_(counts);
  }
  void narrowed(const DeltaCounts& counts, DeltaOutcome outcome) override {
    adopted.emplace_back(counts, outcome);
  }

  std::vector<DeltaCounts> asked;
  std::vector<std::pair<DeltaCounts, DeltaOutcome>> adopted;
  std::size_t most = 1'000'000;  // tests
  std::optional<Error> most_error;

 private:
  static Result<std::optional<DeltaOutcome>> result_of_none() { return std::nullopt; }
  Function function_;
};

Narrowed narrow(const DeltaCounts& sizes, Subject& subject) {
  return DeltaDebugging(sizes, subject).narrow();
}

std::uint64_t deltas_of(const Narrowed& pair) {
  std::uint64_t deltas = 0;
  for (std::size_t i = 0; i < pair.failing.size(); ++i) deltas += pair.failing[i] - pair.passing[i];
  return deltas;
}

// --- The paper's example ---

TEST(DeltaDebugging, TakesTheFourTestsOfFigureSix) {
  // Fails iff all 7 deltas of the fourth switch are applied: it moves from 17 to 10.
  Subject subject([](const DeltaCounts& counts) {
    return counts[3] == 7 ? DeltaOutcome::kFail : DeltaOutcome::kPass;
  });
  DeltaDebugging debugging({1, 5, 9, 7, 2}, subject);

  const Narrowed found = debugging.narrow();

  EXPECT_EQ(subject.asked,
            (std::vector<DeltaCounts>{
                {1, 5, 9, 0, 0}, {1, 5, 9, 7, 0}, {1, 5, 9, 4, 0}, {1, 5, 9, 6, 0}}));
  EXPECT_EQ(found.passing, (DeltaCounts{1, 5, 9, 6, 0}));
  EXPECT_EQ(found.failing, (DeltaCounts{1, 5, 9, 7, 0}));
  EXPECT_TRUE(found.minimal);
  EXPECT_EQ(debugging.history(), (std::vector<DeltaTest>{{5, 24, DeltaOutcome::kPass},
                                                         {2, 9, DeltaOutcome::kFail},
                                                         {1, 7, DeltaOutcome::kPass},
                                                         {1, 3, DeltaOutcome::kPass}}));
  EXPECT_EQ(subject.adopted, (std::vector<std::pair<DeltaCounts, DeltaOutcome>>{
                                 {{1, 5, 9, 0, 0}, DeltaOutcome::kPass},
                                 {{1, 5, 9, 7, 0}, DeltaOutcome::kFail},
                                 {{1, 5, 9, 4, 0}, DeltaOutcome::kPass},
                                 {{1, 5, 9, 6, 0}, DeltaOutcome::kPass}}));
}

TEST(DeltaDebugging, SplitsBetweenGroupsFirst) {
  // Nothing is resolved, so that every granularity is gone through.
  Subject subject([](const DeltaCounts&) { return DeltaOutcome::kUnresolved; });
  const Narrowed found = narrow({3, 3, 3, 3}, subject);

  EXPECT_EQ(std::vector<DeltaCounts>(subject.asked.begin(), subject.asked.begin() + 10),
            (std::vector<DeltaCounts>{// two halves
                                      {3, 3, 0, 0},
                                      {0, 0, 3, 3},
                                      // each group, and all but each
                                      {3, 0, 0, 0},
                                      {0, 3, 0, 0},
                                      {0, 0, 3, 0},
                                      {0, 0, 0, 3},
                                      {0, 3, 3, 3},
                                      {3, 0, 3, 3},
                                      {3, 3, 0, 3},
                                      {3, 3, 3, 0}}));
  // Eight parts of 12: two in each group, of 2 and 1; then single ones, which are known.
  EXPECT_EQ(subject.asked[10], (DeltaCounts{2, 0, 0, 0}));
  EXPECT_EQ(subject.asked[11], (DeltaCounts{1, 0, 0, 0}));
  EXPECT_EQ(subject.asked.size(), 26u);
  EXPECT_TRUE(found.minimal);
  EXPECT_EQ(deltas_of(found), 12u);
}

// --- Any tests ---

/// Over the whole range from the first case on: small ones are dull.
int any_below(int limit) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit)); }

/// Outcomes that are drawn when they are asked for, the same for the same counts.
class Drawn {
 public:
  explicit Drawn(const DeltaCounts& sizes) : seed_(*rc::gen::arbitrary<std::uint64_t>()) {
    known_[DeltaCounts(sizes.size())] = DeltaOutcome::kPass;
    known_[sizes] = DeltaOutcome::kFail;
    unresolved_ = 50 + any_below(50);
    failing_ = any_below(101);
  }

  DeltaOutcome operator()(const DeltaCounts& counts) {
    if (const auto known = known_.find(counts); known != known_.end()) return known->second;
    std::uint64_t hash = seed_;
    for (const std::uint64_t count : counts) {
      hash = (hash + count + 1) * 0xbf58476d1ce4e5b9;
      hash ^= hash >> 31;
    }
    const bool is_open = static_cast<int>(hash % 100) < unresolved_;
    const bool fails = static_cast<int>(hash / 100 % 100) < failing_;
    return known_[counts] = is_open
                                ? (hash >> 63 ? DeltaOutcome::kInvalid : DeltaOutcome::kUnresolved)
                            : fails ? DeltaOutcome::kFail
                                    : DeltaOutcome::kPass;
  }

 private:
  std::uint64_t seed_;
  int unresolved_;  // percent
  int failing_;     // percent of the rest
  std::map<DeltaCounts, DeltaOutcome> known_;
};

DeltaCounts any_sizes() {
  DeltaCounts sizes(static_cast<std::size_t>(any_below(5)));
  for (std::uint64_t& size : sizes) size = static_cast<std::uint64_t>(any_below(13));
  sizes.push_back(static_cast<std::uint64_t>(1 + any_below(12)));
  return sizes;
}

/// Definition 16, delta by delta.
bool is_minimal_by_definition(const Narrowed& pair, Drawn& outcome) {
  for (std::size_t i = 0; i < pair.failing.size(); ++i) {
    if (pair.failing[i] == pair.passing[i]) continue;
    DeltaCounts more = pair.passing;
    DeltaCounts fewer = pair.failing;
    ++more[i];
    --fewer[i];
    if (outcome(more) == DeltaOutcome::kPass || outcome(fewer) == DeltaOutcome::kFail) return false;
  }
  return true;
}

PROPERTY(DeltaDebugging, OfAnyTestsIsMinimal, ()) {
  const DeltaCounts sizes = any_sizes();
  Drawn outcome(sizes);
  Subject subject([&](const DeltaCounts& counts) { return outcome(counts); });

  DeltaDebugging debugging(sizes, subject);
  const Narrowed found = debugging.narrow();

  RC_ASSERT(found.minimal);
  RC_ASSERT(deltas_of(found) > 0u);
  for (std::size_t i = 0; i < sizes.size(); ++i) RC_ASSERT(found.passing[i] <= found.failing[i]);
  RC_ASSERT(outcome(found.passing) == DeltaOutcome::kPass);
  RC_ASSERT(outcome(found.failing) == DeltaOutcome::kFail);
  RC_ASSERT(is_minimal_by_definition(found, outcome));

  // Nothing is asked for twice, and never what is known from the start.
  const std::set<DeltaCounts> asked(subject.asked.begin(), subject.asked.end());
  RC_ASSERT(asked.size() == subject.asked.size());
  RC_ASSERT(!asked.contains(sizes));
  RC_ASSERT(!asked.contains(DeltaCounts(sizes.size())));
  RC_ASSERT(debugging.history().size() == asked.size());

  // To check it takes no test, or only some that it did not need.
  const Result<std::optional<bool>> checked = debugging.is_minimal(found);
  RC_ASSERT(checked && *checked && **checked);
  RC_ASSERT(subject.asked.size() <= asked.size() + 2 * sizes.size());
}

PROPERTY(DeltaDebugging, OfTestsThatAreAllResolvedEndsInASingleDelta, ()) {
  const DeltaCounts sizes = any_sizes();
  const std::uint64_t seed = *rc::gen::arbitrary<std::uint64_t>();
  Subject subject([&](const DeltaCounts& counts) {
    std::uint64_t hash = seed;
    for (const std::uint64_t count : counts) hash = (hash ^ count) * 0x9e3779b97f4a7c15;
    return hash >> 63 ? DeltaOutcome::kFail : DeltaOutcome::kPass;
  });
  RC_ASSERT(deltas_of(narrow(sizes, subject)) == 1u);
  // A binary search: two halves, in the groups and then in one of them.
  RC_ASSERT(subject.asked.size() <= 9u);
}

PROPERTY(DeltaDebugging, ChecksAnyPairByTheDefinition, ()) {
  const DeltaCounts sizes = any_sizes();
  Drawn outcome(sizes);
  Narrowed pair{.passing = DeltaCounts(sizes.size()), .failing = sizes};
  Subject subject([&](const DeltaCounts& counts) { return outcome(counts); });
  const auto checked = DeltaDebugging(sizes, subject).is_minimal(pair);
  RC_ASSERT(**checked == is_minimal_by_definition(pair, outcome));
  RC_ASSERT(subject.asked.size() <= 2 * sizes.size());
}

// --- Stopped ---

PROPERTY(DeltaDebugging, GivesWhatItHasWhenItIsStopped, ()) {
  const DeltaCounts sizes = any_sizes();
  Drawn outcome(sizes);
  Subject whole([&](const DeltaCounts& counts) { return outcome(counts); });
  const Narrowed end = narrow(sizes, whole);
  Subject subject([&](const DeltaCounts& counts) { return outcome(counts); });
  subject.most = *rc::gen::inRange<std::size_t>(0, whole.asked.size() + 1);
  if (*rc::gen::arbitrary<bool>()) subject.most_error = Error{.what = "no more"};

  const Narrowed found = narrow(sizes, subject);

  RC_ASSERT(outcome(found.passing) == DeltaOutcome::kPass);
  RC_ASSERT(outcome(found.failing) == DeltaOutcome::kFail);
  RC_ASSERT(subject.asked.size() <= subject.most);
  if (subject.most == whole.asked.size()) {
    RC_ASSERT(found == end);
  } else {
    RC_ASSERT(!found.minimal);
    RC_ASSERT(found.error == subject.most_error);
  }
}

TEST(DeltaDebugging, CannotCheckWhatCannotBeTested) {
  Subject subject([](const DeltaCounts&) { return DeltaOutcome::kUnresolved; });
  subject.most = 0;
  DeltaDebugging debugging({2, 2}, subject);
  const Narrowed found = debugging.narrow();
  EXPECT_FALSE(found.minimal);
  EXPECT_FALSE(debugging.is_minimal(found).value());
  subject.most_error = Error{.what = "no more"};
  EXPECT_EQ(debugging.is_minimal(found).error(), *subject.most_error);
}

// --- Many ---

TEST(DeltaDebugging, TakesABinarySearchOfBillions) {
  const DeltaCounts sizes(3'000, 1'280'859);  // 3.8 billion
  Subject subject([](const DeltaCounts& counts) {
    return counts[1'234] > 777'777 ? DeltaOutcome::kFail : DeltaOutcome::kPass;
  });
  const Narrowed found = narrow(sizes, subject);
  EXPECT_EQ(deltas_of(found), 1u);
  EXPECT_EQ(found.passing[1'234], 777'777u);
  EXPECT_LE(subject.asked.size(), 12u + 21u) << "the logarithms of both numbers";
}

TEST(DeltaDebugging, NeedsNoLoopOverThePartsOfBillions) {
  // Nothing is resolved: all 33 granularities up to 8 billion are gone through, with at most four
  // tests in each group.
  constexpr std::uint64_t kMany = 4'000'000'000;
  Subject subject([](const DeltaCounts&) { return DeltaOutcome::kUnresolved; });
  const Narrowed found = narrow({kMany, kMany}, subject);
  EXPECT_TRUE(found.minimal);
  EXPECT_LE(subject.asked.size(), 2u + 32 * 8);
}

TEST(DeltaDebugging, FindsWhatOnlyManyDeltasTogetherDecide) {
  // Both switches must come to their places: each alone is something else.
  Subject subject([](const DeltaCounts& counts) {
    const bool first = counts[1] == 10;
    const bool second = counts[3] == 10;
    return first && second     ? DeltaOutcome::kFail
           : !first && !second ? DeltaOutcome::kPass
                               : DeltaOutcome::kUnresolved;
  });
  const Narrowed found = narrow({10, 10, 10, 10}, subject);
  EXPECT_TRUE(found.minimal);
  EXPECT_EQ(found.failing[1] - found.passing[1], 1u);
  EXPECT_EQ(found.failing[3] - found.passing[3], 1u);
  EXPECT_EQ(deltas_of(found), 2u);
}

}  // namespace
}  // namespace unravel
