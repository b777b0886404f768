#include "investigate/portable_constraints.hpp"

#include <gtest/gtest.h>

#include "fake_runner.hpp"
#include "investigate/whole_trace.hpp"

namespace unravel {
namespace {

TEST(PortableConstraints, AreLookedForInATraceOfTheSameSchedule) {
  unravel::Run run = failed_run();
  run.schedule.slices.resize(2);
  std::optional<RunRequest> asked;

  const auto found = find_constraints_of(run, [&](RunRequest request) -> Result<unravel::Run> {
    EXPECT_NE(request.sink, nullptr);
    asked = std::move(request);
    return failed_run();
  });

  ASSERT_TRUE(found);
  EXPECT_EQ(asked->schedule, run.schedule);
  EXPECT_EQ(asked->following, wire::Following::kStrict);
  EXPECT_EQ(asked->trace, wire::TraceLevel::kMemory);
  EXPECT_TRUE(run.constraints.empty()) << "a trace without events has none";
}

TEST(PortableConstraints, StayEmptyIfTheRunComesOutOtherwise) {
  unravel::Run run = failed_run();

  EXPECT_TRUE(find_constraints_of(
      run, [](const RunRequest&) -> Result<unravel::Run> { return passed_run(); }));

  EXPECT_TRUE(run.constraints.empty());
}

TEST(PortableConstraints, StayEmptyIfTheProgramWroteIntoItsTrace) {
  unravel::Run run = failed_run();

  EXPECT_TRUE(find_constraints_of(run, [](const RunRequest& request) -> Result<unravel::Run> {
    const std::vector<std::uint64_t> nonsense(3, ~std::uint64_t{0});
    request.sink->begin();
    request.sink->take(nonsense, {});
    EXPECT_TRUE(request.sink->damaged());
    return failed_run();
  }));

  EXPECT_TRUE(run.constraints.empty());
}

TEST(PortableConstraints, PassAnErrorOn) {
  unravel::Run run = failed_run();

  const auto found = find_constraints_of(
      run, [](const RunRequest&) -> Result<unravel::Run> { return user_error("interrupted"); });

  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().what, "interrupted");
}

TEST(WholeTrace, IsWholeUntilItIsDamaged) {
  WholeTrace sink;
  sink.begin();
  EXPECT_TRUE(sink.is_whole());
  EXPECT_TRUE(sink.trace().events.empty());

  const std::vector<std::uint64_t> nonsense(3, ~std::uint64_t{0});
  sink.take(nonsense, {});
  EXPECT_FALSE(sink.is_whole());

  sink.begin();
  EXPECT_TRUE(sink.is_whole()) << "the run began anew";
}

}  // namespace
}  // namespace unravel
