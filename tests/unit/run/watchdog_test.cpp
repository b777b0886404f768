#include "run/watchdog.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using State = Activity::State;

/// A run that is looked at every 20 ms of a simulated clock, on a machine that gives this process
/// and the run only a part of its time.
class Watched {
 public:
  explicit Watched(Watchdog::Duration limit) : watchdog(limit) { look(State::kRuns); }

  void look(State state) { watchdog.observe(run, steps, {used, state}, now); }

  /// It computes for so long by the wall, and gets one of `load` parts of a processor.
  void compute(milliseconds wall, int load = 1) {
    for (milliseconds passed{0}; passed < wall; passed += kScan) {
      now += kScan;
      processor_ += std::chrono::duration_cast<std::chrono::microseconds>(kScan) / load;
      used = std::chrono::duration_cast<milliseconds>(processor_);
      look(State::kRuns);
    }
  }
  /// All its threads are in this state.
  void stay(State state, milliseconds wall, milliseconds between_looks = kScan) {
    for (milliseconds passed{0}; passed < wall; passed += between_looks) {
      now += between_looks;
      look(state);
    }
  }

  static constexpr milliseconds kScan{20};

  Watchdog watchdog;
  std::uint64_t run = 0;
  std::uint64_t steps = 7;
  milliseconds used{0};
  Watchdog::Time now{seconds(1000)};

 private:
  std::chrono::microseconds processor_{0};
};

TEST(Watchdog, CountsProcessorTime) {
  Watched watched(seconds(10));

  watched.compute(milliseconds(9'900));
  EXPECT_FALSE(watched.watchdog.expired());
  watched.compute(milliseconds(100));

  EXPECT_TRUE(watched.watchdog.expired());
  EXPECT_EQ(watched.watchdog.cause(), Watchdog::Cause::kProcessor);
  EXPECT_EQ(watched.watchdog.describe(), "no scheduling point for 10 s of processor time");
}

TEST(Watchdog, DoesNotCountTimeInWhichOthersHadTheProcessor) {
  // Three seconds of work at a load of 40 take two minutes.
  Watched watched(seconds(10));

  watched.compute(seconds(120), /*load=*/40);

  EXPECT_FALSE(watched.watchdog.expired());
  EXPECT_FALSE(watched.watchdog.is_silent());
  watched.compute(seconds(281), /*load=*/40);
  EXPECT_TRUE(watched.watchdog.expired()) << "it is not let off either";
}

TEST(Watchdog, CountsAStandstill) {
  Watched watched(seconds(10));

  watched.stay(State::kSleeps, milliseconds(9'900));
  EXPECT_FALSE(watched.watchdog.expired());
  watched.stay(State::kSleeps, milliseconds(100));

  EXPECT_TRUE(watched.watchdog.expired());
  EXPECT_EQ(watched.watchdog.cause(), Watchdog::Cause::kStandstill);
  EXPECT_EQ(watched.watchdog.describe(), "no scheduling point for 10 s");
}

TEST(Watchdog, DoesNotTakeItsOwnDelayForAStandstill) {
  // Nobody looked for a second at a time: whoever the run waits for had no processor either.
  Watched watched(seconds(10));

  watched.stay(State::kSleeps, seconds(100), /*between_looks=*/seconds(1));

  EXPECT_FALSE(watched.watchdog.expired());
}

TEST(Watchdog, DoesNotTakeAChildThatComputesForAStandstill) {
  // The program itself sleeps all the time; its child runs, and has used seven seconds.
  Watched watched(seconds(10));

  watched.compute(seconds(70), /*load=*/10);

  EXPECT_FALSE(watched.watchdog.expired());
}

TEST(Watchdog, AddsUpShortStandstills) {
  // As a server that wakes ten times a second does: it must end, too.
  Watched watched(seconds(10));

  for (int i = 0; i < 90; ++i) {
    watched.stay(State::kSleeps, milliseconds(100));
    watched.compute(milliseconds(20));
    ++watched.steps;
  }
  EXPECT_FALSE(watched.watchdog.expired());
  for (int i = 0; i < 20; ++i) {
    watched.stay(State::kSleeps, milliseconds(100));
    watched.compute(milliseconds(20));
    ++watched.steps;
  }

  EXPECT_TRUE(watched.watchdog.expired());
  EXPECT_FALSE(watched.watchdog.is_silent());
  EXPECT_EQ(watched.watchdog.describe(), "still running after 11 s of waiting, 116 steps");
}

TEST(Watchdog, IsPatientWithWhatIsStoppedOrHangsInTheKernel) {
  for (const auto& [state, words] :
       {std::pair{State::kStopped, "stopped by a signal (SIGSTOP or its kin) for 100 s"},
        std::pair{State::kInKernel, "in a system call that nothing can interrupt for 100 s"}}) {
    Watched watched(seconds(10));

    watched.stay(state, seconds(99));
    EXPECT_FALSE(watched.watchdog.expired());
    watched.stay(state, seconds(1));

    EXPECT_TRUE(watched.watchdog.expired());
    EXPECT_TRUE(watched.watchdog.describe().starts_with(words)) << watched.watchdog.describe();
  }
}

TEST(Watchdog, GivesEveryRunItsOwnTime) {
  Watched watched(seconds(10));

  watched.compute(seconds(9));
  watched.run = 1;
  watched.compute(seconds(9));
  EXPECT_FALSE(watched.watchdog.expired());
  watched.compute(seconds(2));

  EXPECT_TRUE(watched.watchdog.expired());
}

TEST(Watchdog, TellsALoopWithoutPointsFromALongRun) {
  Watched silent(seconds(10)), busy(seconds(10));

  silent.compute(seconds(2));
  ++silent.steps;
  silent.compute(seconds(8));
  busy.compute(seconds(9));
  busy.steps = 1234;
  busy.compute(seconds(1));

  EXPECT_EQ(silent.watchdog.describe(), "no scheduling point for 8 s of processor time");
  EXPECT_EQ(busy.watchdog.describe(), "still running after 10 s of processor time, 1234 steps");
}

TEST(Watchdog, DoesNotCountTimeInWhichTheRunStoodStillForUs) {
  Watched watched(seconds(10));

  watched.stay(State::kSleeps, milliseconds(9'980));
  watched.now += milliseconds(40);
  watched.watchdog.forgive(milliseconds(40));
  watched.look(State::kSleeps);

  EXPECT_FALSE(watched.watchdog.expired());
}

TEST(Watchdog, BearsAChildThatTakesItsTimeWithIt) {
  // A child whose end nobody waits for is gone, and what it used with it.
  Watched watched(seconds(10));

  watched.compute(seconds(8));
  watched.used = milliseconds(0);
  watched.look(State::kRuns);
  watched.look(State::kRuns);

  EXPECT_FALSE(watched.watchdog.expired());
  EXPECT_EQ(watched.watchdog.describe(), "no scheduling point for 8 s of processor time");
}

TEST(Watchdog, PrintsShortTimesWithAFraction) {
  EXPECT_EQ(describe_seconds(milliseconds(1500)), "1.5 s");
  EXPECT_EQ(describe_seconds(seconds(2)), "2 s");
  EXPECT_EQ(describe_seconds(milliseconds(30'400)), "30 s");
}

}  // namespace
}  // namespace unravel
