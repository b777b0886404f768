/// What a loop has seen: its bytes, and going on from it.
#include "explore/journal.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "unit/explore/fake_pool.hpp"

namespace unravel {
namespace {

JournalEntry any_entry() {
  JournalEntry entry;
  entry.is_lesson = true;
  RunSummary run;
  run.outcome = Outcome::kFailed;
  run.steps = 41;
  run.threads = 3;
  run.schedule_hash = ~std::uint64_t{0};
  run.behaviour = 12345678901;
  run.new_pairs = 2;
  run.kept = 5;
  run.given_up = 1u << 31;
  entry.runs = {run, {}};
  entry.pairs = {{wire::Site::of(1, 2), wire::Site::of(3, 4), true, false, true, true}};
  PredictedRun predicted{.cost = 5, .proposal = {}};
  predicted.proposal.following = wire::Following::kLenient;
  predicted.proposal.schedule.slices = {{.thread = {.ordinal = 2}, .until = {3, 4}}};
  predicted.proposal.schedule.then.watches = 1;
  entry.predicted = {predicted, {}};
  entry.failures = {{"assert: f", 3}, {"", 1}};
  entry.maps.met = {0, 5, ~std::uint64_t{0}};
  entry.maps.preempted = {1};
  entry.maps.bases = {0, 4096};
  return entry;
}

TEST(JournalEntry, ComesBackAsItWas) {
  const JournalEntry entry = any_entry();
  const JournalEntry back = decode_journal_entry(encode(entry)).value();
  EXPECT_EQ(back.is_lesson, entry.is_lesson);
  ASSERT_EQ(back.runs.size(), 2u);
  EXPECT_EQ(back.runs[0].outcome, Outcome::kFailed);
  EXPECT_EQ(back.runs[0].steps, 41u);
  EXPECT_EQ(back.runs[0].threads, 3u);
  EXPECT_EQ(back.runs[0].schedule_hash, ~std::uint64_t{0});
  EXPECT_EQ(back.runs[0].behaviour, 12345678901u);
  EXPECT_EQ(back.runs[0].new_pairs, 2u);
  EXPECT_EQ(back.runs[0].kept, 5u);
  EXPECT_EQ(back.runs[0].given_up, 1u << 31);
  EXPECT_EQ(back.pairs, entry.pairs);
  EXPECT_EQ(back.predicted, entry.predicted);
  EXPECT_EQ(back.failures, entry.failures);
  EXPECT_EQ(back.maps.met, entry.maps.met);
  EXPECT_EQ(back.maps.preempted, entry.maps.preempted);
  EXPECT_EQ(back.maps.bases, entry.maps.bases);
}

TEST(JournalEntry, ComesBackWithTotals) {
  JournalEntry entry;
  entry.totals.emplace();
  Explored& explored = entry.totals->explored;
  explored.runs = 1'000'000;
  explored.steps = 7;
  explored.schedules = 6;
  explored.behaviours = 5;
  explored.since_new = 4;
  explored.unresolved = 3;
  explored.why_unresolved = "why";
  explored.pct = {.runs = {0, 2, 1}, .chances = {0, 2, 0.25}};
  explored.shares = {{"pos", 8, 9}};
  explored.failures = {{"assert: f", 3}};
  entry.totals->known.length = 10;
  entry.totals->known.longest = 11;
  entry.totals->known.threads = 12;
  entry.totals->known.pairs = any_entry().pairs;

  const JournalEntry back = decode_journal_entry(encode(entry)).value();

  ASSERT_TRUE(back.totals);
  EXPECT_EQ(back.totals->explored, explored);
  EXPECT_EQ(back.totals->known.length, 10u);
  EXPECT_EQ(back.totals->known.longest, 11u);
  EXPECT_EQ(back.totals->known.threads, 12u);
  EXPECT_EQ(back.totals->known.pairs, entry.totals->known.pairs);
}

TEST(JournalEntry, IsRefusedIfAnyByteIsMissing) {
  const std::vector<std::byte> bytes = encode(any_entry());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_journal_entry(std::span(bytes).first(size))) << size;
  }
}

/// In memory; gives back the first `most` of what it has.
class FakeJournal final : public Journal {
 public:
  Result<std::optional<JournalEntry>> next() override {
    if (at_ == recalls) return std::optional<JournalEntry>();
    return std::optional(entries[at_++]);
  }
  Result<void> add(const JournalEntry& entry) override {
    const bool replaces = entry.totals && !entries.empty() && entries.back().totals;
    if (replaces) entries.pop_back();
    entries.push_back(decode_journal_entry(encode(entry)).value());
    return {};
  }
  [[nodiscard]] bool has_room() const override { return entries.size() < most; }

  std::vector<JournalEntry> entries;
  std::size_t recalls = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();

 private:
  std::size_t at_ = 0;
};

Script any_script() {
  Script script;
  script.plays = [](RunSummary& run, std::uint64_t ordinal) {
    run.behaviour = ordinal / 3;
    run.schedule_hash = ordinal / 2;
    run.new_pairs = ordinal % 29 == 0 ? 1 : 0;
    run.steps = 10 + ordinal % 7;
    if (ordinal == 20) run.outcome = Outcome::kFailed;
  };
  return script;
}

TEST(Journal, BringsAnotherCampaignToTheSamePlace) {
  FakeJournal whole;
  FakeHuntLoop first(any_script(), {.runs = 400}, 1, /*explores=*/true);
  first.loop.keep_in(whole, {});
  ASSERT_TRUE(first.loop.run());
  ASSERT_GT(whole.entries.size(), 6u);

  for (std::size_t recalled = 0; recalled <= whole.entries.size(); ++recalled) {
    FakeJournal journal;
    journal.entries.assign(whole.entries.begin(),
                           whole.entries.begin() + static_cast<std::ptrdiff_t>(recalled));
    journal.recalls = recalled;
    FakeHuntLoop again(any_script(), {.runs = 400}, 1, /*explores=*/true);
    for (const JournalEntry& entry : journal.entries) {
      again.learner.runs_before += entry.runs.size();
      again.learner.lessons_before += entry.is_lesson ? 1 : 0;
    }
    again.loop.keep_in(journal, {});
    ASSERT_TRUE(again.loop.run());

    EXPECT_EQ(again.strategy.seeds, first.strategy.seeds) << recalled;
    EXPECT_EQ(again.strategy.pairs_known, first.strategy.pairs_known) << recalled;
    const Explored& now = again.loop.explored();
    const Explored& then = first.loop.explored();
    EXPECT_EQ(now.runs, then.runs);
    EXPECT_EQ(now.behaviours, then.behaviours);
    EXPECT_EQ(now.schedules, then.schedules);
    EXPECT_EQ(now.failures, then.failures);
    EXPECT_EQ(now.since_new, then.since_new);
    EXPECT_EQ(journal.entries.size(), whole.entries.size()) << "only what is new is added";
  }
}

TEST(Journal, ThatIsFullKeepsTotalsFromWhichAHuntGoesOn) {
  FakeJournal full;
  full.most = 4;
  FakeHuntLoop first(any_script(), {.runs = 300}, 1, /*explores=*/true);
  first.loop.keep_in(full, {});
  ASSERT_TRUE(first.loop.run());
  ASSERT_EQ(full.entries.size(), 5u) << "however many rounds there were";
  ASSERT_TRUE(full.entries.back().totals);
  const Explored then = first.loop.explored();

  full.recalls = full.entries.size();
  FakeHuntLoop again(any_script(), {.runs = 400}, 1, /*explores=*/true);
  again.learner.runs_before = then.runs;
  again.loop.keep_in(full, {});
  ASSERT_TRUE(again.loop.run());

  const Explored& now = again.loop.explored();
  EXPECT_EQ(now.runs, 400u);
  EXPECT_GE(now.schedules, then.schedules);
  EXPECT_GE(now.behaviours, then.behaviours);
  EXPECT_GE(now.failures.at("key"), then.failures.at("key"));
  // What was run is not run again: the next run is the one after those of before.
  ASSERT_FALSE(again.done.ordinals.empty());
  EXPECT_GE(std::ranges::min(again.done.ordinals), then.runs);
  EXPECT_EQ(std::ranges::max(again.done.ordinals), 399u);
  EXPECT_EQ(again.strategy.seeds.back(), wire::seed_of(/*of the fake loop*/ 9, 399));
  EXPECT_EQ(full.entries.size(), 5u);
  EXPECT_EQ(full.entries.back().totals->explored.runs, 400u);
}

TEST(Journal, OfSomethingElseIsRefused) {
  FakeJournal journal;
  journal.entries = {any_entry()};
  journal.entries[0].is_lesson = false;  // a loop begins with a lesson
  journal.recalls = 1;
  FakeHuntLoop fake({}, {.runs = 10});
  fake.loop.keep_in(journal, {});
  const auto end = fake.loop.run();
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().what, "the hunt cannot be resumed");
}

TEST(Journal, TimeThatWasUsedBeforeCounts) {
  FakeJournal journal;
  FakeHuntLoop fake({}, {.time = std::chrono::duration<double>(60)});
  fake.loop.keep_in(journal, std::chrono::duration<double>(61));
  EXPECT_EQ(*fake.loop.run(), HuntLoop::End::kTime);
  EXPECT_EQ(fake.loop.explored().runs, 1u);
}

}  // namespace
}  // namespace unravel
