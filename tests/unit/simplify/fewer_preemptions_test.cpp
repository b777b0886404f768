#include "simplify/fewer_preemptions.hpp"

#include <gtest/gtest.h>

#include "sim/sim_laboratory.hpp"

namespace unravel {
namespace {

/// Up to right before the operation after the n-th.
wire::Slice up_to(std::uint32_t thread, std::uint64_t operations) {
  return {.thread = {.ordinal = thread}, .until = {operations, 1}, .site = {}};
}

/// The run by these slices, which fails, to be simplified.
class Failing {
 public:
  Failing(sim::SimProgram program, const Slices& slices)
      : program_(std::move(program)),
        run_(run_of(program_, slices)),
        laboratory_(program_, sim::key_of(run_)),
        attempts_(laboratory_, sim::whole(run_), [](auto, const auto&) { return true; }) {
    EXPECT_TRUE(run_.failed());
  }

  Attempts& attempts() { return attempts_; }
  const sim::SimProgram& program() const { return program_; }

 private:
  static sim::SimRun run_of(const sim::SimProgram& program, const Slices& slices) {
    sim::SimSchedule schedule;
    schedule.slices = slices;
    return sim::run(program, schedule, wire::Following::kLenient);
  }

  const sim::SimProgram program_;
  const sim::SimRun run_;
  sim::SimLaboratory laboratory_;
  Attempts attempts_;
};

const sim::Steps kAdds{"step", "read x", "$seen = $result",  "step",
                       "step", "step",   "write x $seen + 1"};

TEST(FewerPreemptions, LeavesAThreadAsLateAsPossible) {
  // A is left right after it has read.
  Failing failing({.threads = {{"A", kAdds}, {"B", kAdds}}, .fails_if = "x != 2"},
                  {up_to(0, 2), up_to(1, 9), up_to(0, 9)});
  const Cost before = failing.attempts().cost();
  ASSERT_EQ(before.preemptions, 1u);
  lengthen_preempted(failing.attempts());
  EXPECT_EQ(failing.attempts().cost(), before);
  const wire::Slice& left = failing.attempts().slices().front();
  EXPECT_EQ(left.until.operations, 5u);  // all but the write
}

/// Two threads put two elements each, two take them. Who puts the second is not told, for there is
/// one already: if both that take wait, one of them does for ever.
sim::SimProgram buffer() {
  const sim::Steps put = sim::repeat(
      {"lock m", "if count == 0", "signal filled", "end", "count = count + 1", "unlock m"}, 2);
  const sim::Steps take{
      "$left = 2", "while $left > 0",    "lock m",   "while count == 0",   "wait filled m",
      "end",       "count = count + -1", "unlock m", "$left = $left + -1", "end",
      "post done"};
  return {.threads = {{"main", {"sem_wait done", "sem_wait done"}},
                      {"P", put},
                      {"Q", put},
                      {"T", take},
                      {"U", take}}};
}

TEST(FewerPreemptions, DoesLaterWhatWasDoneTooEarly) {
  constexpr std::uint32_t kMain = 0, kP = 1, kQ = 2, kT = 3, kU = 4;
  // T and U take one each of what P has put, wait for more, and Q wakes one of them.
  Failing failing(buffer(), {up_to(kMain, 9), up_to(kP, 9), up_to(kT, 3), up_to(kU, 9),
                             up_to(kT, 9), up_to(kQ, 9), up_to(kT, 9), up_to(kU, 9)});
  ASSERT_EQ(failing.attempts().cost().preemptions, 1u);
  const std::uint64_t switches = failing.attempts().cost().switches;
  postpone(failing.attempts());
  // If P comes later, they wait without having taken anything.
  EXPECT_EQ(failing.attempts().cost().preemptions, 0u);
  EXPECT_LT(failing.attempts().cost().switches, switches);
}

}  // namespace
}  // namespace unravel
