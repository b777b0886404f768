#include "report/run_list.hpp"

#include <gtest/gtest.h>

#include "golden.hpp"
#include "sample_runs.hpp"

namespace unravel {
namespace {

TEST(RunList, HasOneLinePerRun) {
  const unravel::Run deadlocked = deadlocked_run();
  unravel::Run passed = lost_update_run();
  passed.failure.reset();
  passed.summary.outcome = Outcome::kPassed;
  const unravel::Run lost = lost_update_run();

  const std::string text =
      render_list({{&deadlocked, 0}, {&passed, 9'000}, {&lost, 9'990}}, 10'000, 100, Paint(false));

  expect_golden("list.txt", text);
}

}  // namespace
}  // namespace unravel
