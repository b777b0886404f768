#include "investigate/stored_run.hpp"

#include "investigated.hpp"

namespace unravel {
namespace {

using StoredRunTest = Investigated;

TEST_F(StoredRunTest, IsRepeatedUnderItsOwnConditions) {
  RunsRequest fed = runs_of("account_mended");
  fed.input = "typed\n";
  fed.judging.most_steps = 12'345;
  const auto ran = run(fed);
  ASSERT_TRUE(ran && ran->run);
  const auto opened = open_run(ran->run->id.substr(0, 6), store_.path());
  ASSERT_TRUE(opened) << opened.error().what;
  Judging patient;
  patient.timeout = std::chrono::milliseconds(77);

  const auto like = request_like(*opened, patient);
  const auto now = request_like(*opened, {}, EnvironmentOf::kNow);

  ASSERT_TRUE(like && now);
  EXPECT_EQ(like->program, fed.program);
  EXPECT_EQ(like->input, "typed\n");
  EXPECT_EQ(like->settings.most_steps, 12'345u);
  EXPECT_EQ(like->settings.timeout_milliseconds, 77u);
  EXPECT_EQ(like->like, &opened->stored.run.schedule);
  EXPECT_NE(like->environment, nullptr);
  EXPECT_EQ(now->environment, nullptr) << "this process's own";
}

TEST_F(StoredRunTest, IsNotThere) {
  EXPECT_FALSE(open_run("", store_.path())) << "no store";
  store_.open();
  EXPECT_FALSE(open_run("", store_.path())) << "no run";
}

}  // namespace
}  // namespace unravel
