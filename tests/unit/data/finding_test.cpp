#include "data/finding.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

Frame frame(const char* function, int line) {
  return {.function = function, .file = "/src/bank.c", .line = line, .module = "/bin/bank"};
}

Place place(std::uint32_t thread, const char* function, int line, const char* variable) {
  return {.thread = {.ordinal = thread},
          .clock = {.operations = 2},
          .stack = {frame(function, line)},
          .pending = wire::Operation::kStore,
          .variable = variable};
}

FoundFailure failure() {
  FoundFailure found;
  found.run.id = "aaa111";
  found.run.failure.emplace();
  found.run.failure->kind = FailureKind::kAssert;
  found.run.failure->detail = "balance == 2";
  found.run.failure->key = "assert: main bank.c:30";
  found.run.failure->stack = {frame("main", 30)};
  found.verification.emplace();
  return found;
}

/// The simplest run, and where its one preemption is.
Explained simplified() {
  Explained explained;
  explained.run.id = "bbb222";
  explained.simplified.emplace();
  explained.simplified->preemptions = {{place(1, "deposit", 12, "balance"), {.ordinal = 2}}};
  return explained;
}

TEST(Finding, OfAFailureSaysWhereItFailsAndWhatToDoNext) {
  const Finding finding = finding_of(failure());

  EXPECT_EQ(finding.kind, FindingKind::kFailure);
  EXPECT_EQ(finding.key, "assert: main bank.c:30");
  EXPECT_EQ(finding.title, "assertion failed in T0: balance == 2");
  ASSERT_EQ(finding.places.size(), 1u);
  EXPECT_EQ(finding.places[0].role, PlaceRole::kFails);
  EXPECT_EQ(finding.places[0].place.stack, (Stack{frame("main", 30)}));
  EXPECT_EQ(finding.runs.found, "aaa111");
  EXPECT_EQ(finding.runs.simplified, "");
  ASSERT_EQ(finding.next.size(), 2u);
  EXPECT_EQ(finding.next[0].command, "unravel replay aaa111");
  EXPECT_TRUE(std::holds_alternative<FoundFailure>(finding.evidence));
}

TEST(Finding, HasTheSiteIfThereIsNoStack) {
  FoundFailure found = failure();
  found.run.failure->stack.clear();
  EXPECT_TRUE(finding_of(found).places.empty());

  found.run.failure->site = frame("main", 30);
  ASSERT_EQ(finding_of(found).places.size(), 1u);
  EXPECT_EQ(finding_of(found).places[0].place.stack, (Stack{frame("main", 30)}));
}

TEST(Finding, OfAFailureThatIsNotKeptNamesNoRun) {
  FoundFailure found = failure();
  found.unkept = Error{.what = "no space left"};

  const Finding finding = finding_of(found);

  EXPECT_EQ(finding.runs.found, "");
  EXPECT_TRUE(finding.next.empty());
}

TEST(Finding, NamesThePreemptionsOfTheSimplestRun) {
  FoundFailure found = failure();
  found.explained = simplified();

  const Finding finding = finding_of(found);

  EXPECT_EQ(finding.runs.simplified, "bbb222");
  ASSERT_EQ(finding.places.size(), 2u);
  EXPECT_EQ(finding.places[1].role, PlaceRole::kPreempted);
  EXPECT_EQ(finding.variables, (std::vector<std::string>{"balance"}));
  EXPECT_EQ(finding.next[0].command, "unravel replay bbb222") << "the simplest is the best to see";
}

TEST(Finding, NamesWhatMetAtTheSwitchThatDecides) {
  FoundFailure found = failure();
  found.explained = simplified();
  SmallestDifference& difference = found.explained->difference.emplace();
  difference.failing = "ccc333";
  difference.passing = "ddd444";
  difference.switches.resize(1);
  difference.switches[0].failing = place(1, "deposit", 13, "balance");
  Conflict& conflict = difference.conflicts.emplace_back();
  conflict.object = "balance";
  conflict.between = {place(2, "deposit", 14, "balance"), "write"};
  conflict.after = {{place(1, "deposit", 15, "total"), "read"}};

  const Finding finding = finding_of(found);

  std::vector<PlaceRole> roles;
  for (const FindingPlace& one : finding.places) roles.push_back(one.role);
  EXPECT_EQ(roles, (std::vector<PlaceRole>{PlaceRole::kFails, PlaceRole::kPreempted,
                                           PlaceRole::kMet, PlaceRole::kResumed}));
  EXPECT_EQ(finding.places[2].does, "write");
  EXPECT_EQ(finding.places[3].does, "read");
  EXPECT_EQ(finding.variables, (std::vector<std::string>{"balance", "total"})) << "each once";
  EXPECT_EQ(finding.runs.fails, "ccc333");
  EXPECT_EQ(finding.runs.passes, "ddd444");
}

TEST(Finding, OfARaceHasBothSidesInTheirOrder) {
  FoundRace race;
  race.key = "race: add a.c:3; add a.c:3";
  race.variable = "counter";
  race.count = 7;
  race.sides[0].operation = wire::Operation::kStore;
  race.sides[0].site = frame("add", 3);
  race.sides[1].operation = wire::Operation::kLoad;
  race.sides[1].thread = {.ordinal = 2};
  race.sides[1].stack = {frame("add", 3), frame("work", 9)};

  const Finding finding = finding_of(race);

  EXPECT_EQ(finding.kind, FindingKind::kRace);
  EXPECT_EQ(finding.key, race.key);
  EXPECT_EQ(finding.title, "data race on counter");
  EXPECT_EQ(finding.count, 7u);
  ASSERT_EQ(finding.places.size(), 2u);
  EXPECT_EQ(finding.places[0].role, PlaceRole::kEarlier);
  EXPECT_EQ(finding.places[0].place.stack, (Stack{frame("add", 3)}));
  EXPECT_EQ(finding.places[1].role, PlaceRole::kLater);
  EXPECT_EQ(finding.places[1].place.thread.ordinal, 2u);
  EXPECT_EQ(finding.places[1].place.stack.size(), 2u);
  EXPECT_EQ(finding.variables, (std::vector<std::string>{"counter"}));
  EXPECT_FALSE(finding.failure);

  race.variable.clear();
  EXPECT_EQ(finding_of(race).title, "data race on memory");
}

TEST(Finding, HasAWordForEachKindAndRole) {
  EXPECT_EQ(name(FindingKind::kFailure), "failure");
  EXPECT_EQ(name(FindingKind::kRace), "race");
  EXPECT_EQ(name(FindingKind::kAnomaly), "anomaly");
  EXPECT_EQ(name(FindingKind::kConflict), "conflict");
  EXPECT_EQ(name(FindingKind::kDivergence), "divergence");
  EXPECT_EQ(name(PlaceRole::kFails), "fails");
  EXPECT_EQ(name(PlaceRole::kPreempted), "preempted");
  EXPECT_EQ(name(PlaceRole::kMet), "met");
  EXPECT_EQ(name(PlaceRole::kResumed), "resumed");
  EXPECT_EQ(name(PlaceRole::kEarlier), "earlier");
  EXPECT_EQ(name(PlaceRole::kLater), "later");
}

}  // namespace
}  // namespace unravel
