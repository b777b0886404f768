/// Constraints that name threads, and what a run tells of its constraints.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "runtime/core/constraints.hpp"
#include "sim/sim_program.hpp"

namespace unravel {
namespace {

using sim::object_of;
using sim::SimProgram;
using sim::SimRun;
using sim::SimSchedule;
using wire::Constraint;
using wire::EventPattern;
using wire::Operation;
using wire::Whose;

/// A pool of workers: all do the same to the same objects.
const SimProgram kPool{.threads = {{"a", {"write x 1", "write y 1"}},
                                   {"b", {"write x 1", "write y 1"}},
                                   {"c", {"write x 1", "write y 1"}}}};

EventPattern on(const char* object, Whose whose, std::uint32_t thread,
                std::uint64_t occurrence = 1) {
  return {.object = object_of(kPool, object),
          .occurrence = occurrence,
          .whose = whose,
          .thread = thread};
}

SimRun run_with(const std::vector<Constraint>& constraints, std::uint64_t seed) {
  const wire::Rule rule{
      .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
  SimRun run = sim::run(kPool, SimSchedule{.then = rule, .constraints = constraints},
                        wire::Following::kNothing);
  EXPECT_EQ(run.disagreement, "");
  EXPECT_TRUE(run.passed()) << run.words.text;
  return run;
}

/// Who wrote, in order: `ax` for x by thread a.
std::vector<std::string> writes_of(const SimRun& run) {
  std::vector<std::string> writes;
  for (const wire::Event& event : run.events) {
    if (event.operation != Operation::kOnce) continue;
    writes.push_back(std::string(1, static_cast<char>('a' + event.thread.ordinal)) +
                     (event.object == object_of(kPool, "x") ? "x" : "y"));
  }
  return writes;
}

std::size_t place(const std::vector<std::string>& writes, const std::string& write) {
  return static_cast<std::size_t>(std::find(writes.begin(), writes.end(), write) - writes.begin());
}

TEST(ConstraintThreads, AreNamedByTheirNumbers) {
  std::set<bool> unconstrained;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto free = writes_of(run_with({}, seed));
    unconstrained.insert(place(free, "by") < place(free, "ax"));
    const SimRun run = run_with({{on("y", Whose::kThread, 1), on("x", Whose::kThread, 0)}}, seed);
    const auto writes = writes_of(run);
    EXPECT_LT(place(writes, "by"), place(writes, "ax"));
    EXPECT_EQ(run.counts.kept, 1u);
    EXPECT_EQ(run.counts.given_up, 0u);
  }
  EXPECT_EQ(unconstrained.size(), 2u) << "else this shows nothing";
}

TEST(ConstraintThreads, AreNamedByTheOrderInWhichTheyCome) {
  const auto in_order = [](const std::vector<Constraint>& constraints) {
    const SimRun run =
        sim::run(kPool, SimSchedule{.constraints = constraints}, wire::Following::kNothing);
    EXPECT_EQ(run.counts.kept, constraints.empty() ? 0u : 1u);
    std::string text;
    for (const std::string& write : writes_of(run)) text += write + " ";
    return text;
  };
  // Each thread stays as long as it can.
  EXPECT_EQ(in_order({}), "ax ay bx by cx cy ");
  EXPECT_EQ(in_order({{on("x", Whose::kArrival, 2), on("y", Whose::kArrival, 1)}}),
            "ax bx by cx cy ay ");
  EXPECT_EQ(in_order({{on("x", Whose::kArrival, 3), on("y", Whose::kArrival, 1)}}),
            "ax bx by cx cy ay ");
  EXPECT_EQ(in_order({{on("y", Whose::kArrival, 2), on("x", Whose::kArrival, 1)}}),
            "bx by cx cy ax ay ");
}

TEST(ConstraintThreads, CountOccurrencesOfTheThreadThatIsNamed) {
  const SimProgram loops{
      .threads = {{"a", {"$i = 0", "while $i < 2", "write x 1", "$i = $i + 1", "end"}},
                  {"b", {"$i = 0", "while $i < 2", "write x 1", "$i = $i + 1", "end"}}}};
  const std::uint64_t x = object_of(loops, "x");
  const EventPattern second_of_b{
      .object = x, .occurrence = 2, .whose = Whose::kThread, .thread = 1};
  const EventPattern second_of_a{
      .object = x, .occurrence = 2, .whose = Whose::kThread, .thread = 0};
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    const SimRun run =
        sim::run(loops, SimSchedule{.then = rule, .constraints = {{second_of_b, second_of_a}}},
                 wire::Following::kNothing);
    std::string order;
    for (const wire::Event& event : run.events) {
      if (event.operation == Operation::kOnce)
        order += static_cast<char>('a' + event.thread.ordinal);
    }
    orders.insert(order);
  }
  EXPECT_EQ(orders, (std::set<std::string>{"abba", "baba", "bbaa"}));
}

TEST(ConstraintThreads, ThatNeverComeLeaveTheOthersAlone) {
  std::set<std::vector<std::string>> with;
  std::set<std::vector<std::string>> without;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const SimRun run = run_with({{on("x", Whose::kArrival, 1), on("y", Whose::kArrival, 4)}}, seed);
    with.insert(writes_of(run));
    without.insert(writes_of(run_with({}, seed)));
  }
  EXPECT_EQ(with, without);
}

// --- What a run tells ---

TEST(ConstraintsOfARun, AreToldAsKeptGivenUpOrNeverMet) {
  const SimProgram program{.threads = {{"a", {"write x 1"}}, {"b", {"write y 1"}}}};
  const auto object = [&](const char* name) {
    return EventPattern{.object = object_of(program, name)};
  };
  const EventPattern nothing{.object = 99};
  const auto told = [&](const Constraint& constraint) {
    const wire::RunSlot counts =
        sim::run(program, SimSchedule{.constraints = {constraint}}, wire::Following::kNothing)
            .counts;
    EXPECT_EQ(counts.kept & counts.given_up, 0u);
    return counts.kept ? "kept" : counts.given_up ? "given up" : "never met";
  };
  EXPECT_STREQ(told({object("y"), object("x")}), "kept");
  EXPECT_STREQ(told({nothing, object("y")}), "given up");
  EXPECT_STREQ(told({object("x"), nothing}), "kept") << "nothing broke it";
  EXPECT_STREQ(told({nothing, nothing}), "never met");
}

TEST(ConstraintsOfARun, AreGivenUpAfterTheirTime) {
  const SimProgram program{
      .threads = {
          {"a", {"write x 1"}},
          {"b", {"$i = 0", "while $i < 50", "write z 1", "$i = $i + 1", "end", "write y 1"}}}};
  const auto object = [&](const char* name) {
    return EventPattern{.object = object_of(program, name)};
  };
  for (const std::uint64_t give_up : {5u, 500u}) {
    const SimRun run =
        sim::run(program, SimSchedule{.constraints = {{object("y"), object("x"), give_up}}},
                 wire::Following::kNothing);
    EXPECT_EQ(run.counts.kept, give_up == 500 ? 1u : 0u);
    EXPECT_EQ(run.counts.given_up, give_up == 500 ? 0u : 1u);
  }
}

}  // namespace
}  // namespace unravel
