#include "run/program_process.hpp"

#include <gtest/gtest.h>

#include "fake_program.hpp"

namespace unravel {
namespace {

TEST(ProgramProcess, TakesNobodyForARunButAChildOfTheServer) {
  RunnerOptions options;
  options.scratch_directory = "/tmp";
  options.sandbox = false;
  auto session =
      ProgramProcess::create(fake_program("names-a-stranger"), options, harmless_library());
  ASSERT_TRUE(session.has_value()) << session.error().what;
  std::vector<pid_t> looked_at;
  BatchWork work{
      .batch = {}, .schedules = {}, .at_stop = [&](pid_t run) { looked_at.push_back(run); }};
  work.batch.count = 1;

  const auto performed = (*session)->perform(work);

  ASSERT_TRUE(performed.has_value()) << performed.error().what;
  EXPECT_EQ(looked_at, std::vector<pid_t>{0});
}

}  // namespace
}  // namespace unravel
