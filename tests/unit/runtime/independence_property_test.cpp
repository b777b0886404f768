/// Operations that the table calls independent are made in both orders: nothing else may differ.
#include <gtest/gtest.h>

#include <set>

#include "property/property.hpp"
#include "unit/runtime/any_sharing_program.hpp"
#include "unit/runtime/exchanged_steps.hpp"
#include "wire/operation.hpp"

namespace unravel {
namespace {

using sim::SimLimits;
using wire::Operation;

/// What was exchanged.
struct Tally {
  std::uint64_t pairs = 0;  // of operations on objects
  std::uint64_t alike = 0;  // of them: the same operation on the same object
  std::set<std::pair<Operation, Operation>> kinds;

  void add(const Neighbours& pair) {
    const Alternative& one = pair.first;
    const Alternative& other = pair.second;
    const auto acts_on_object = [](const Alternative& it) {
      return it.object != 0 && wire::traits(it.operation).influence != wire::Influence::kNothing;
    };
    if (!acts_on_object(one) || !acts_on_object(other)) return;
    ++pairs;
    alike += one.operation == other.operation && one.object == other.object ? 1 : 0;
    kinds.insert(std::minmax(one.operation, other.operation));
  }
};

constexpr int kRunsPerProgram = 6;

/// Mostly one that switches all the time.
wire::Rule any_restless_rule() {
  if (any_below(4) == 0) return any_rule();
  return {.kind = wire::RuleKind::kRandom,
          .switch_probability = wire::kCertain,
          .seed = *rc::gen::arbitrary<std::uint64_t>()};
}

/// A step that makes another thread's operation possible or impossible depends on that operation.
/// Not asked of programs with deadlines: time, too, lets threads go on.
void require_dependence_where_abilities_change(const SimProgram& program, const Told& recorded) {
  const std::vector<RecordedDecision> turns = turns_of(recorded);
  const auto require = [&](const RecordedDecision& from, const RecordedDecision& to,
                           const RecordedDecision& at) {
    const auto made = of_thread(at, at.chosen);
    for (const Alternative& one : from.alternatives) {
      // A thread that was created or woken has another operation pending than before.
      const bool is_new = one.operation == Operation::kNone || one.operation == Operation::kStart;
      if (one.thread == at.chosen || is_new || of_thread(to, one.thread)) continue;
      if (!independent(*made, one)) continue;
      RC_FAIL(name_of(*made) + " changes whether " + name_of(one) + " is possible" +
              text_of(program));
    }
  };
  for (std::size_t i = 0; i + 1 < turns.size(); ++i) {
    if (turns[i + 1].step != turns[i].step + 1) continue;
    require(turns[i], turns[i + 1], turns[i]);
    require(turns[i + 1], turns[i], turns[i]);
  }
}

void exchange_all(const SimProgram& program, const Told& recorded, const SimLimits& limits,
                  Tally& tally) {
  const std::vector<RecordedDecision> turns = turns_of(recorded);
  const Told again = follow(program, schedule_of(recorded, turns), limits);
  const std::string found = difference_from(0, recorded, again);
  if (!found.empty()) RC_FAIL("without an exchange: " + found + text_of(program));

  for (const Neighbours& pair : neighbours_of(recorded)) {
    if (!independent(pair.first, pair.second)) continue;
    tally.add(pair);
    const std::string difference = exchange(program, recorded, pair, limits);
    if (difference.empty()) continue;
    RC_FAIL(name_of(pair.first) + " and " + name_of(pair.second) +
            " are not independent: " + difference + text_of(program) + "\n" +
            recorded.run.slices() + "\nstep " + std::to_string(turns[pair.decision].step));
  }
}

// Not the macro PROPERTY: what all cases together have tried is counted.
TEST(Independence, IsOfStepsThatCanBeExchanged) {
  Tally tally;
  property::check(rc::detail::toProperty([&tally] {
    const Theme theme;
    const SimProgram program = any_sharing_program(theme);
    const SimLimits limits{
        .points = theme.has_accesses ? wire::PointSet::kMemory : wire::PointSet::kSync,
        .decisions = true};
    for (int i = 0; i < kRunsPerProgram; ++i) {
      const Told recorded = told(sim::run(program, any_restless_rule(), limits));
      if (!theme.has_deadlines) require_dependence_where_abilities_change(program, recorded);
      exchange_all(program, recorded, limits, tally);
    }
  }));
  if (HasFailure()) return;

  // 100 cases have about 1,100 pairs of 200 kinds, and 25 to 55 that are alike.
  EXPECT_GT(tally.pairs, 300u);
  EXPECT_GT(tally.kinds.size(), 80u);
  EXPECT_GT(tally.alike, 5u);
}

/// The first two steps of two threads, by the operations that they are about to make.
struct First {
  const char* one;
  const char* other;
  Operation operation;
  Operation other_operation;
};

/// What differs if the first two steps are exchanged; nothing if no run makes them in this order.
std::optional<std::string> exchange_first(const First& first, bool* is_independent) {
  const SimProgram program{.threads = {{"a", {"step", first.one, "r0 = $result"}},
                                       {"b", {first.other, "r1 = $result"}},
                                       {"spectator", sim::repeat("step", 5)}},
                           .start = {{"s", 1}}};
  const SimLimits limits{.points = wire::PointSet::kMemory, .decisions = true};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const wire::Rule rule{
        .kind = wire::RuleKind::kRandom, .switch_probability = wire::kCertain, .seed = seed};
    const Told recorded = told(sim::run(program, rule, limits));
    for (const Neighbours& pair : neighbours_of(recorded)) {
      if (pair.first.operation != first.operation ||
          pair.second.operation != first.other_operation || pair.first.thread != 0) {
        continue;
      }
      *is_independent = independent(pair.first, pair.second);
      return exchange(program, recorded, pair, limits);
    }
  }
  return std::nullopt;
}

TEST(Independence, IsNotOfStepsWhoseExchangeIsNoticed) {
  const First all[] = {
      {"lock m", "trylock m", Operation::kLock, Operation::kTryLock},
      {"trylock m", "trylock m", Operation::kTryLock, Operation::kTryLock},
      {"trywrlock w", "tryrdlock w", Operation::kTryWriteLock, Operation::kTryReadLock},
      {"sem_wait s", "sem_trywait s", Operation::kSemWait, Operation::kSemTryWait},
      {"barrier k 2", "barrier k 2", Operation::kBarrierWait, Operation::kBarrierWait},
      {"futex_wait f 0", "store f 1", Operation::kFutexWait, Operation::kStore},
      {"futex_wait f 0", "futex_wake f 1", Operation::kFutexWait, Operation::kFutexWake},
      {"store x 1", "load x", Operation::kStore, Operation::kLoad},
      {"store x 1", "store x 2", Operation::kStore, Operation::kStore},
  };
  for (const First& first : all) {
    bool is_independent = true;
    const std::optional<std::string> difference = exchange_first(first, &is_independent);
    ASSERT_TRUE(difference) << first.one << ", " << first.other;
    EXPECT_FALSE(difference->empty()) << first.one << ", " << first.other;
    EXPECT_FALSE(is_independent) << first.one << ", " << first.other;
  }
}

}  // namespace
}  // namespace unravel
