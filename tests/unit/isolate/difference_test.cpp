/// Two schedules in clock form, taken apart and put together again.
#include "isolate/difference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "property/property.hpp"

namespace unravel {
namespace {

wire::ClockSwitch at(std::uint64_t count) { return {.count = count}; }
wire::ClockSwitch to(std::uint64_t count, std::uint32_t receiver) {
  return {.count = count, .receiver = {.ordinal = receiver}, .has_receiver = 1};
}
wire::Choice choice(std::uint32_t thread, std::uint64_t operations, std::uint64_t value,
                    wire::ChoiceKind kind = wire::ChoiceKind::kWaiter) {
  return {.thread = {.ordinal = thread},
          .clock = {.operations = operations},
          .value = value,
          .kind = kind};
}

std::vector<std::uint64_t> counts_of(const std::optional<ClockForm>& form) {
  std::vector<std::uint64_t> counts;
  for (const wire::ClockSwitch& one : form.value().switches) counts.push_back(one.count);
  return counts;
}

const ClockForm kPassing{.switches = {at(6), at(12)}, .steps = 16};
const ClockForm kFailing{.switches = {at(5), at(7), at(8), at(10), at(15)}, .steps = 16};

TEST(ScheduleDifference, OfThePapersExampleHas24Deltas) {
  const ScheduleDifference difference(kPassing, kFailing);
  EXPECT_EQ(difference.sizes(), (DeltaCounts{1, 5, 9, 7, 2}));
  EXPECT_EQ(difference.deltas(), 24u);
  EXPECT_EQ(difference.end(), 17u);
  EXPECT_EQ(counts_of(difference.apply({0, 0, 0, 0, 0})), (DeltaCounts{6, 12, 17, 17, 17}));
  EXPECT_EQ(counts_of(difference.apply({1, 5, 9, 7, 2})), (DeltaCounts{5, 7, 8, 10, 15}));
  EXPECT_EQ(counts_of(difference.apply({0, 1, 0, 0, 0})), (DeltaCounts{6, 11, 17, 17, 17}));
  EXPECT_EQ(counts_of(difference.apply({1, 5, 9, 4, 0})), (DeltaCounts{5, 7, 8, 13, 17}));
}

TEST(ScheduleDifference, IsInvalidWhereSwitchesWouldCross) {
  const ScheduleDifference difference(kPassing, kFailing);
  EXPECT_FALSE(difference.apply({0, 0, 0, 0, 2})) << "(6, 12, 17, 17, 15)";
  EXPECT_FALSE(difference.apply({0, 0, 6, 0, 0})) << "(6, 12, 11, 17, 17)";
  EXPECT_TRUE(difference.apply({0, 0, 5, 0, 0})) << "(6, 12, 12, 17, 17): twice without a step";
}

TEST(ScheduleDifference, PadsWhicheverIsShorterAfterTheLongerOfBothRuns) {
  const ClockForm longer{.switches = {at(3), to(9, 2)}, .steps = 20};
  const ClockForm shorter{.switches = {at(3)}, .steps = 40};
  for (const bool passing_is_longer : {true, false}) {
    const ScheduleDifference difference(passing_is_longer ? longer : shorter,
                                        passing_is_longer ? shorter : longer);
    EXPECT_EQ(difference.sizes(), (DeltaCounts{0, 32}));
    const auto full = difference.apply(passing_is_longer ? DeltaCounts{0, 32} : DeltaCounts{0, 0});
    EXPECT_EQ(full.value().switches, (std::vector{at(3), to(41, 2)})) << "with its receiver";
  }
}

TEST(ScheduleDifference, TakesAllPlacesAfterTheEndForOne) {
  // As neighbours are drawn: nobody got there, so it does not matter how far it is.
  const ClockForm far{.switches = {at(5), at(5'000)}, .steps = 16};
  const ScheduleDifference difference(far, {.switches = {at(5), at(9)}, .steps = 12});
  EXPECT_EQ(difference.sizes(), (DeltaCounts{0, 8}));
}

TEST(ScheduleDifference, ChangesTheReceiverLast) {
  const ScheduleDifference difference({.switches = {to(8, 1)}, .steps = 16},
                                      {.switches = {to(6, 2)}, .steps = 16});
  EXPECT_EQ(difference.sizes(), DeltaCounts{3});
  EXPECT_EQ(difference.switch_at(0, 0), to(8, 1));
  EXPECT_EQ(difference.switch_at(0, 1), to(7, 1));
  EXPECT_EQ(difference.switch_at(0, 2), to(6, 1));
  EXPECT_EQ(difference.switch_at(0, 3), to(6, 2));
}

TEST(ScheduleDifference, TellsTheHeadOfTheQueueFromAThread) {
  const ScheduleDifference difference({.switches = {at(6)}, .steps = 16},
                                      {.switches = {to(6, 0)}, .steps = 16});
  EXPECT_EQ(difference.sizes(), DeltaCounts{1});
  EXPECT_EQ(difference.switch_at(0, 0), at(6));
  EXPECT_EQ(difference.switch_at(0, 1), to(6, 0));
}

TEST(ScheduleDifference, HasAGroupForEveryChoiceThatIsNotTheSame) {
  const wire::Choice same = choice(0, 1, 7);
  const ClockForm passing{
      .switches = {at(3)}, .choices = {same, choice(1, 4, 2), choice(2, 2, 0)}, .steps = 16};
  const ClockForm failing{
      .switches = {at(4)}, .choices = {same, choice(1, 1, 5), choice(1, 4, 3)}, .steps = 16};
  const ScheduleDifference difference(passing, failing);
  EXPECT_EQ(difference.sizes(), (DeltaCounts{1, 1, 1, 1}));
  EXPECT_EQ(difference.apply({0, 0, 0, 0})->choices, passing.choices);
  EXPECT_EQ(difference.apply({0, 1, 1, 1})->choices, failing.choices);
  EXPECT_EQ(difference.apply({0, 1, 0, 0})->choices,
            (std::vector{same, choice(1, 1, 5), choice(1, 4, 2), choice(2, 2, 0)}));
  EXPECT_EQ(difference.choice_at(1, 0), std::nullopt);
  EXPECT_EQ(difference.choice_at(1, 1), choice(1, 1, 5));
  EXPECT_EQ(difference.choice_at(2, 0), choice(1, 4, 2));
  EXPECT_EQ(difference.choice_at(3, 1), std::nullopt);
}

TEST(ScheduleDifference, TellsChoicesByThreadClockAndKind) {
  const wire::Choice one = choice(1, 4, 0, wire::ChoiceKind::kTimeout);
  for (const wire::Choice& other :
       {choice(2, 4, 0, wire::ChoiceKind::kTimeout), choice(1, 5, 0, wire::ChoiceKind::kTimeout),
        choice(1, 4, 0, wire::ChoiceKind::kSignal)}) {
    const ScheduleDifference difference({.choices = {one}}, {.choices = {other}});
    EXPECT_EQ(difference.sizes(), (DeltaCounts{1, 1})) << "one that is gone, and another";
  }
}

// --- Anything ---

ClockForm any_form() {
  ClockForm form;
  form.steps = *rc::gen::inRange<std::uint64_t>(1, 60);
  const auto size = *rc::gen::inRange(0, 6);
  for (int i = 0; i < size; ++i) {
    const auto count = *rc::gen::inRange<std::uint64_t>(1, form.steps + 1);
    form.switches.push_back(*rc::gen::arbitrary<bool>() ? at(count)
                                                        : to(count, *rc::gen::inRange(0u, 3u)));
  }
  std::sort(form.switches.begin(), form.switches.end(),
            [](const auto& one, const auto& other) { return one.count < other.count; });
  const auto choices = *rc::gen::inRange(0, 6);
  for (int i = 0; i < choices; ++i) {
    // Few keys, so that some come twice, and in any order.
    form.choices.push_back(
        choice(*rc::gen::inRange(0u, 2u), *rc::gen::inRange(1u, 3u), *rc::gen::inRange(0u, 3u)));
  }
  return form;
}

/// What a run does with them: those of the same key in their order.
std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>> by_key(
    const std::vector<wire::Choice>& choices) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint64_t>> values;
  for (const wire::Choice& one : choices) {
    values[{one.thread.ordinal, one.clock.operations}].push_back(one.value);
  }
  return values;
}

PROPERTY(ScheduleDifference, GivesBothBack, ()) {
  const ClockForm passing = any_form();
  const ClockForm failing = any_form();
  const ScheduleDifference difference(passing, failing);
  const auto check = [&](const ClockForm& expected, const DeltaCounts& counts) {
    const ClockForm form = difference.apply(counts).value();
    RC_ASSERT(form.switches.size() == difference.switches());
    for (std::size_t i = 0; i < form.switches.size(); ++i) {
      if (i < expected.switches.size()) {
        RC_ASSERT(form.switches[i] == expected.switches[i]);
      } else {
        RC_ASSERT(form.switches[i].count > std::max(passing.steps, failing.steps));
      }
    }
    RC_ASSERT(by_key(form.choices) == by_key(expected.choices));
  };
  check(passing, DeltaCounts(difference.sizes().size()));
  check(failing, difference.sizes());
}

}  // namespace
}  // namespace unravel
