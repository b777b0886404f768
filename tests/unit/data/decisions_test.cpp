#include "data/decisions.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using wire::Ability;
using wire::AlternativeHead;
using wire::DecisionHead;
using wire::DecisionKind;
using wire::Operation;

const std::vector<wire::Module> kModules = [] {
  std::vector<wire::Module> modules(2);
  modules[1].base = 0x1000;
  modules[1].end = 0x2000;
  return modules;
}();

using Words = std::vector<std::uint64_t>;

Words run(std::uint64_t ordinal) {
  return {DecisionHead::of(DecisionKind::kRun, false, 0, 0).word, ordinal};
}
void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words record(DecisionKind kind, std::uint64_t step, std::uint32_t chosen,
             const std::vector<Words>& alternatives, bool fires_timeout = false) {
  Words words = {
      DecisionHead::of(kind, fires_timeout, static_cast<std::uint16_t>(alternatives.size()), chosen)
          .word,
      step};
  for (const Words& one : alternatives) add(words, one);
  return words;
}
Words alternative(std::uint64_t site, Operation operation, Ability ability, std::uint64_t object,
                  std::uint32_t thread, std::uint64_t also = 0) {
  return {AlternativeHead::of(site, operation, ability).word, object, thread, also};
}

Words two_runs() {
  Words words = run(7);
  add(words, record(DecisionKind::kThread, 12, 2,
                    {alternative(0x1010, Operation::kLock, Ability::kGoOn, 0x99, 0),
                     alternative(0x5000, Operation::kSleep, Ability::kTimeOut, 0, 2)},
                    /*fires_timeout=*/true));
  add(words, record(DecisionKind::kWaiter, 13, 1,
                    {alternative(0x1020, Operation::kWait, Ability::kBlocked, 0x77, 1, 0x88),
                     alternative(0x1020, Operation::kWait, Ability::kBlocked, 0x77, 3)}));
  add(words, record(DecisionKind::kEnd, 40, 0,
                    {alternative(0x1030, Operation::kJoin, Ability::kGoOn, 1, 0),
                     alternative(0x1020, Operation::kWait, Ability::kBlocked, 0x77, 3)}));
  add(words, run(8));
  return words;
}

TEST(Decisions, ComeRunByRun) {
  DecisionDecoder decoder;
  EXPECT_TRUE(decoder.take(two_runs(), kModules));
  ASSERT_EQ(decoder.runs().size(), 2u);

  const RunDecisions& first = decoder.runs()[0];
  EXPECT_EQ(first.ordinal, 7u);
  ASSERT_EQ(first.decisions.size(), 2u);
  const std::vector<Alternative> at_turn = {
      {0, Ability::kGoOn, Operation::kLock, 0x99, 0, wire::Site::of(1, 0x10)},
      {2, Ability::kTimeOut, Operation::kSleep, 0, 0, {}}};
  EXPECT_EQ(first.decisions[0], (RecordedDecision{DecisionKind::kThread, 12, 2, true, at_turn}));
  EXPECT_EQ(first.decisions[1].kind, DecisionKind::kWaiter);
  EXPECT_EQ(first.decisions[1].chosen, 1u);
  ASSERT_EQ(first.decisions[1].alternatives.size(), 2u);
  EXPECT_EQ(first.decisions[1].alternatives[0].also, 0x88u);
  EXPECT_TRUE(first.has_ended);
  EXPECT_EQ(first.last, 0u);
  ASSERT_EQ(first.at_end.size(), 2u);
  EXPECT_EQ(first.at_end[1].ability, Ability::kBlocked);

  EXPECT_EQ(decoder.runs()[1].ordinal, 8u);
  EXPECT_FALSE(decoder.runs()[1].has_ended);
}

TEST(Decisions, ComeInPortionsAndAnew) {
  DecisionDecoder whole;
  whole.take(two_runs(), kModules);
  DecisionDecoder parts;
  const Words words = two_runs();
  parts.take(std::span(words).first(2), kModules);
  parts.take(std::span(words).subspan(2), kModules);
  EXPECT_EQ(parts.runs(), whole.runs());
  parts.begin();
  EXPECT_TRUE(parts.runs().empty());
}

TEST(Decisions, OfOneThreadAndOfDeadlinesAreNotIndependent) {
  const Alternative lock{0, Ability::kGoOn, Operation::kLock, 0x99};
  const Alternative other{1, Ability::kGoOn, Operation::kLock, 0x200};
  EXPECT_TRUE(independent(lock, other));
  EXPECT_FALSE(independent(lock, {0, Ability::kGoOn, Operation::kLock, 0x200}));
  EXPECT_FALSE(independent(lock, {1, Ability::kTimeOut, Operation::kLock, 0x200}));
  EXPECT_FALSE(independent({1, Ability::kTimeOut, Operation::kSleep}, lock));
  EXPECT_FALSE(independent(lock, {1, Ability::kBlocked, Operation::kLock, 0x99}));
}

// The program can write into our memory.
TEST(Decisions, ThatNoRuntimeWritesAreDamage) {
  const auto is_damage = [](const Words& words) {
    DecisionDecoder decoder;
    decoder.take(words, kModules);
    return decoder.damaged();
  };
  EXPECT_FALSE(is_damage(two_runs()));
  EXPECT_TRUE(is_damage({0})) << "half a head";
  EXPECT_TRUE(is_damage({wire::kDecisionKindCount, 0}));
  EXPECT_TRUE(is_damage(record(DecisionKind::kThread, 1, 0, {}))) << "of no run";
  const Words whole = two_runs();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    DecisionDecoder decoder;
    decoder.take(std::span(whole).first(size), kModules);
    EXPECT_LE(decoder.runs().size(), 2u);
  }
  for (const Words& bad :
       {alternative(0, static_cast<Operation>(255), Ability::kGoOn, 0, 0),
        alternative(0, Operation::kLock, static_cast<Ability>(9), 0, 0),
        alternative(0, Operation::kLock, Ability::kGoOn, 0, wire::kMostThreadsInRun)}) {
    Words words = run(1);
    add(words, record(DecisionKind::kThread, 1, 0, {bad}));
    EXPECT_TRUE(is_damage(words));
  }
}

}  // namespace
}  // namespace unravel
