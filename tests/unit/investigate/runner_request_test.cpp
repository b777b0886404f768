#include "investigate/runner_request.hpp"

#include <fstream>

#include "data/input_log.hpp"
#include "investigated.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

TEST(RunSettings, AreWhatIsAskedForAndOtherwiseAsTheyWere) {
  RunSettings before = default_settings();
  before.most_steps = 7;
  before.targets.kinds = {FailureKind::kDeadlock};
  Judging asked;

  EXPECT_EQ(settings_from(asked, before), before) << "nothing is asked for";

  asked.most_steps = 8;
  asked.timeout = std::chrono::milliseconds(9);
  asked.oracle = "grep -q ok";
  asked.expected_output = "/expected";
  asked.targets.kinds = {FailureKind::kAssert};
  asked.skip_status.emplace(5);
  const RunSettings now = settings_from(asked, before);

  EXPECT_EQ(now.most_steps, 8u);
  EXPECT_EQ(now.timeout_milliseconds, 9u);
  EXPECT_EQ(now.oracle, (std::vector<std::string>{"/bin/sh", "-c", "grep -q ok"}));
  EXPECT_EQ(now.expected_output, "/expected");
  EXPECT_EQ(now.targets, asked.targets);
  EXPECT_EQ(now.skip_status, 5);
}

TEST(RunSettings, NameFilesFromAnywhere) {
  Judging asked;
  asked.expected_output = "expected.txt";

  EXPECT_EQ(settings_from(asked, {}).expected_output, fs::absolute("expected.txt"));
}

class RunnerOptionsTest : public testing::Test {
 protected:
  RunnerOptionsTest() {
    temporary_.open();
    request_.store = temporary_.path();
  }

  Result<RunnerOptions> options() {
    const Scratch scratch = std::move(*Scratch::make(request_.store));
    Result<RunnerOptions> options = runner_options(request_, scratch);
    if (options && !options->standard_input.empty()) {
      std::ifstream file(options->standard_input);
      input_.assign(std::istreambuf_iterator<char>(file), {});
    }
    return options;
  }

  TemporaryStore temporary_;
  RunnerRequest request_;
  std::string input_;
};

TEST_F(RunnerOptionsTest, HaveTheInputAsAFile) {
  request_.input = "three\nlines\n";
  ASSERT_TRUE(options());
  EXPECT_EQ(input_, "three\nlines\n");

  request_.input.clear();
  EXPECT_EQ(options()->standard_input, "");
}

TEST_F(RunnerOptionsTest, HaveTheExpectedOutputAsItIsNow) {
  request_.settings.expected_output = temporary_.home() / "expected";
  const auto missing = options();
  std::ofstream(request_.settings.expected_output) << "counted\n";
  const auto there = options();

  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().what.starts_with("the expected output cannot be read"));
  ASSERT_TRUE(there);
  EXPECT_EQ(there->expected_output, "counted\n");
}

TEST_F(RunnerOptionsTest, StartAsAScheduleWasStarted) {
  Schedule like;
  like.start_realtime = 11;
  like.start_monotonic = 12;
  like.cpu_count = 13;
  like.start = {.wait_count = 1, .waits = {14}};
  like.sandboxed = false;
  request_.like = &like;
  request_.most_output = 15;

  const auto options = this->options();

  ASSERT_TRUE(options);
  EXPECT_EQ(options->start_realtime, 11u);
  EXPECT_EQ(options->start_monotonic, 12u);
  EXPECT_EQ(options->cpu_count, 13u);
  EXPECT_EQ(options->start, like.start);
  EXPECT_FALSE(options->sandbox) << "it had none";
  EXPECT_EQ(options->limits.most_kept_output, 15u);
}

TEST_F(RunnerOptionsTest, HaveTheEndOfAClientOnlyWithWhatItSent) {
  request_.settings.client = {.command = "./client", .signal = 15};
  request_.client_end = ClientEnd{.kind = ClientEnd::Kind::kExited, .number = 3};
  EXPECT_EQ(options()->client.command, "./client");
  EXPECT_FALSE(options()->client_end) << "it is started again";

  request_.inputs = std::make_shared<const InputLog>();

  EXPECT_EQ(options()->client_end, request_.client_end);
}

using PointsTest = Investigated;

TEST_F(PointsTest, AreWhereTheProgramIsBuiltForThem) {
  Judging calls;
  calls.points = wire::PointSet::kCalls;

  EXPECT_EQ(points_for(program("account"), {}, observer_), wire::PointSet::kSync);
  EXPECT_EQ(points_for(program("counter"), {}, observer_), wire::PointSet::kAuto);
  EXPECT_FALSE(points_for(program("account"), calls, observer_));
  EXPECT_TRUE(observer_.warnings.empty());
  EXPECT_EQ(points_for(program("counter"), calls, observer_), wire::PointSet::kCalls);
  ASSERT_EQ(observer_.warnings.size(), 1u);
  EXPECT_NE(observer_.warnings[0].find("was compiled without -fsanitize-coverage"),
            std::string::npos);
}

}  // namespace
}  // namespace unravel
