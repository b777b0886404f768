#include "investigate/counted_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace unravel {
namespace {

/// A run that is given by its stops: every place at which it could be stopped, in order.
class KnownRun {
 public:
  /// The thread makes `operations` operations with `hooks` hooks before each; all are points but
  /// the hooks, if `hooks_count` is false. There is one more point before each operation.
  void slice(std::uint32_t thread, std::uint64_t operations, std::uint64_t hooks,
             bool hooks_count = true, wire::End end = wire::End::kPreempted) {
    wire::Clock& clock = clocks_[thread];
    for (std::uint64_t i = 0; i < operations; ++i) {
      for (std::uint64_t hook = 0; hook <= hooks; ++hook) {
        // A thread that was preempted before an operation goes on with it.
        if (hook == hooks && stands_before_operation_.erase(thread)) break;
        ++clock.hooks;
        const bool is_point = hook == hooks || hooks_count;
        step_ += is_point;
        places_.push_back({{.ordinal = thread}, clock, step_, is_point && hook == hooks});
      }
      clock = {.operations = clock.operations + 1};
    }
    if (end == wire::End::kEnded) {
      ++step_;  // nothing can be stopped where a thread ends
    } else {
      ++clock.hooks;
      // A thread is preempted before an access or, if it makes none, before an operation.
      places_.push_back({{.ordinal = thread}, clock, ++step_, hooks == 0});
      if (hooks == 0) stands_before_operation_.insert(thread);
    }
    schedule_.slices.push_back(
        {.thread = {.ordinal = thread},
         .until = clock,
         .site = {},
         .end = end,
         .pending = hooks == 0 ? wire::Operation::kLock : wire::Operation::kLoad});
  }

  [[nodiscard]] const std::vector<CountedStop>& places() const { return places_; }
  [[nodiscard]] std::uint64_t steps() const { return step_; }
  [[nodiscard]] int runs() const { return runs_; }

  std::vector<CountedPoint> find(const std::vector<std::uint64_t>& counts) {
    return *find_counted_points(counts, schedule_, [this](std::vector<wire::StopAt> stops) {
      return Result<std::vector<CountedStop>>(run(stops));
    });
  }

 private:
  /// Stops as the runtime does: at the first place that is not before the next stop, and at no
  /// other stop before that one was passed.
  std::vector<CountedStop> run(const std::vector<wire::StopAt>& stops) {
    ++runs_;
    std::vector<CountedStop> reached;
    auto next = stops.begin();
    for (const CountedStop& place : places_) {
      bool due = false;
      for (; next != stops.end() && next->thread == place.thread; ++next) {
        const bool here = next->clock.operations == place.clock.operations;
        const bool is_there =
            next->clock.hooks == wire::kBeforeNext ? place.is_point : next->clock <= place.clock;
        if (next->clock.operations > place.clock.operations || (here && !is_there)) break;
        due = due || here;
      }
      if (due) reached.push_back(place);
    }
    return reached;
  }

  Schedule schedule_;
  std::vector<CountedStop> places_;
  std::map<std::uint32_t, wire::Clock> clocks_;
  std::set<std::uint32_t> stands_before_operation_;
  std::uint64_t step_ = 0;
  int runs_ = 0;
};

void expect_every_point(KnownRun& run) {
  for (std::uint64_t count = 1; count <= run.steps(); ++count) {
    const CountedPoint point = run.find({count}).front();
    const auto first = std::find_if(run.places().begin(), run.places().end(),
                                    [&](const CountedStop& place) { return place.step >= count; });
    if (first == run.places().end() || first->step != count) {
      EXPECT_FALSE(point.at) << count;
      continue;
    }
    ASSERT_TRUE(point.at) << count;
    EXPECT_EQ(point.at->thread, first->thread) << count;
    EXPECT_EQ(point.at->clock, first->clock) << count;
  }
}

TEST(CountedPoints, FindsEveryPointOfARunWithoutHooks) {
  KnownRun run;
  run.slice(0, 3, 0);
  run.slice(1, 2, 0);
  run.slice(2, 4, 0, true, wire::End::kEnded);
  run.slice(1, 1, 0, true, wire::End::kEnded);
  run.slice(0, 2, 0);
  expect_every_point(run);
}

TEST(CountedPoints, FindsEveryPointAmongHooks) {
  for (const bool hooks_count : {true, false}) {
    KnownRun run;
    run.slice(0, 2, 5, hooks_count);
    run.slice(1, 1, 9, hooks_count);
    run.slice(0, 1, 2, hooks_count);
    run.slice(1, 3, 1, hooks_count, wire::End::kEnded);
    run.slice(0, 1, 0, hooks_count);
    expect_every_point(run);
  }
}

TEST(CountedPoints, FindsManyInTheSameFewRuns) {
  KnownRun run;
  run.slice(0, 3, 100'000);
  run.slice(1, 5'000, 20);
  run.slice(0, 1, 400'000);
  std::vector<std::uint64_t> counts = {700'000, 1, 300'000, 123'456, run.steps()};

  const std::vector<CountedPoint> points = run.find(counts);

  for (std::size_t i = 0; i < counts.size(); ++i) {
    ASSERT_TRUE(points[i].at) << counts[i];
    const CountedStop& place = run.places()[counts[i] - 1];
    EXPECT_EQ(points[i].at->thread, place.thread);
    EXPECT_EQ(points[i].at->clock, place.clock);
  }
  EXPECT_LE(run.runs(), 12);
}

TEST(CountedPoints, TellsWhatIsNextToAPointWithoutAStop) {
  KnownRun run;
  run.slice(1, 2, 0, true, wire::End::kEnded);  // points 1 and 2; it ends at 3
  run.slice(0, 2, 0);

  const CountedPoint point = run.find({3}).front();

  EXPECT_FALSE(point.at);
  EXPECT_EQ(point.before, 2u);
  EXPECT_EQ(point.after, 4u);
}

TEST(CountedPoints, EndsForACountBehindTheEnd) {
  KnownRun run;
  run.slice(0, 2, 3);
  EXPECT_FALSE(run.find({run.steps() + 1}).front().at);
}

}  // namespace
}  // namespace unravel
