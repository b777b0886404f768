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

/// Two that take wait for the first of two that put, which wakes one of them; the second is not
/// told, for there is something already.
sim::SimProgram buffer() {
  const sim::Steps put{"lock m", "if count == 0",     "signal filled",
                       "end",    "count = count + 1", "unlock m"};
  const sim::Steps take{"lock m", "while count == 0",   "wait filled m",
                        "end",    "count = count + -1", "unlock m"};
  return {.threads = {{"P", put}, {"Q", put}, {"T", take}, {"U", take}}};
}

TEST(FewerPreemptions, DoesLaterWhatWasDoneTooEarly) {
  // P and Q begin, but are left before they put; T and U wait; P, Q; T takes; U is not woken.
  Failing failing(buffer(), {up_to(0, 0), up_to(1, 1), up_to(2, 9), up_to(3, 9), up_to(0, 9),
                             up_to(1, 9), up_to(2, 9)});
  const Cost before = failing.attempts().cost();
  postpone(failing.attempts());
  EXPECT_LE(failing.attempts().cost(), before);
}

}  // namespace
}  // namespace unravel
