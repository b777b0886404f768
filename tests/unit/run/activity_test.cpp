#include "run/activity.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <functional>
#include <thread>

namespace unravel {
namespace {

using State = Activity::State;
using std::chrono::milliseconds;

/// A process that acts by itself until the object is gone.
class Process {
 public:
  explicit Process(const std::function<void()>& act) {
    pid_ = ::fork();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      act();
      ::_exit(0);
    }
  }
  ~Process() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

  /// Until it shows this state, for as long as that takes on a loaded machine.
  [[nodiscard]] bool comes_to(State state) const {
    for (int looks = 0; looks < 60'000; ++looks) {
      if (activity_of(pid_).state == state) return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }

 private:
  pid_t pid_ = -1;
};

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

[[noreturn]] void compute_for_ever() {
  for (std::atomic<int> round = 0;; ++round) {
  }
}

TEST(Activity, SeesWhoSleeps) {
  const Process sleeps(sleep_for_ever);

  EXPECT_TRUE(sleeps.comes_to(State::kSleeps));
  EXPECT_LT(activity_of(sleeps.pid()).processor, milliseconds(1000));
}

TEST(Activity, SeesWhoComputesAndHowLong) {
  const Process computes(compute_for_ever);

  while (activity_of(computes.pid()).processor < milliseconds(30)) {
    EXPECT_TRUE(computes.comes_to(State::kRuns));
  }
}

TEST(Activity, SeesAThreadThatComputesBesideOnesThatSleep) {
  const Process mixed([] {
    std::thread sleeper(sleep_for_ever), computer(compute_for_ever);
    sleep_for_ever();
  });

  EXPECT_TRUE(mixed.comes_to(State::kRuns));
}

TEST(Activity, SeesWhatAChildOfAChildOfAThreadComputes) {
  const Process parent([] {
    std::thread forker([] {
      if (::fork() == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::fork() == 0) {
          ::prctl(PR_SET_PDEATHSIG, SIGKILL);
          compute_for_ever();
        }
        sleep_for_ever();
      }
      sleep_for_ever();
    });
    sleep_for_ever();
  });

  while (activity_of(parent.pid()).processor < milliseconds(50)) {
    EXPECT_TRUE(parent.comes_to(State::kRuns));
  }
}

TEST(Activity, SeesWhoWasStopped) {
  const Process stops([] {
    ::raise(SIGSTOP);
    sleep_for_ever();
  });

  EXPECT_TRUE(stops.comes_to(State::kStopped));
  ::kill(stops.pid(), SIGCONT);
  EXPECT_TRUE(stops.comes_to(State::kSleeps));
}

TEST(Activity, CountsChildrenThatWereWaitedFor) {
  const Process parent([] {
    if (::fork() == 0) {
      while (std::clock() < CLOCKS_PER_SEC / 10) {
      }
      ::_exit(0);
    }
    ::wait(nullptr);
    sleep_for_ever();
  });

  EXPECT_TRUE(parent.comes_to(State::kRuns));
  EXPECT_TRUE(parent.comes_to(State::kSleeps));
  EXPECT_GE(activity_of(parent.pid()).processor, milliseconds(90));
}

TEST(Activity, OfNobodyIsNothing) {
  const pid_t gone = ::fork();
  if (gone == 0) ::_exit(0);
  ::waitpid(gone, nullptr, 0);

  EXPECT_EQ(activity_of(gone).processor, milliseconds(0));
  EXPECT_EQ(activity_of(gone).state, State::kSleeps);
  EXPECT_EQ(status_of("/proc/" + std::to_string(gone)).state, 0);
}

TEST(Activity, OfTwoSetsOfProcessesIsThatOfTheBusierOne) {
  const Activity sleeps{.processor = std::chrono::milliseconds(10),
                        .state = Activity::State::kSleeps};
  const Activity runs{.processor = std::chrono::milliseconds(20), .state = Activity::State::kRuns};
  for (const Activity& both : {together(sleeps, runs), together(runs, sleeps)}) {
    EXPECT_EQ(both.state, Activity::State::kRuns);
    EXPECT_EQ(both.processor, std::chrono::milliseconds(30));
  }
}

}  // namespace
}  // namespace unravel
