#include "data/details.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.hpp"
#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

Failure any_failure() {
  Failure failure;
  failure.kind = static_cast<FailureKind>(1 + any_below(9));
  failure.detail = any_text();
  failure.thread = *rc::gen::arbitrary<std::uint32_t>();
  if (any_flag()) failure.site = any_frame();
  failure.stack = any_stack();
  failure.threads = any_number_of<ThreadAtFailure>([] {
    return ThreadAtFailure{*rc::gen::arbitrary<std::uint32_t>(), any_text(), any_stack()};
  });
  failure.key = any_text();
  failure.weak_key = any_flag();
  return failure;
}

PROPERTY(RunDetails, AreReadAsTheyWereWritten, ()) {
  RunDetails details;
  details.program = {any_number_of<std::string>(any_text), any_text(), any_text()};
  details.settings.oracle = any_number_of<std::string>(any_text);
  details.settings.targets.kinds =
      any_number_of<FailureKind>([] { return static_cast<FailureKind>(1 + any_below(9)); });
  details.settings.targets.texts = any_number_of<std::string>(any_text);
  details.settings.targets.stacks = any_number_of<std::string>(any_text);
  details.settings.expected_output = any_text();
  details.settings.most_steps = any_number();
  details.settings.timeout_milliseconds = any_below(kMostTimeoutMilliseconds + 1);
  details.settings.fork_server = any_flag();
  details.settings.skip_status.reset();
  if (any_flag()) details.settings.skip_status = static_cast<int>(any_below(256));
  if (any_flag()) details.failure = any_failure();
  details.explanation = any_text();
  details.warnings = any_number_of<std::string>(any_text);
  details.output_left_out = any_number();
  details.error_output_left_out = any_number();
  details.settings.client = {.command = any_text(), .signal = static_cast<int>(any_below(65))};
  if (any_flag()) {
    details.client = ClientEnd{.command = details.settings.client.command,
                               .kind = static_cast<ClientEnd::Kind>(any_below(4)),
                               .number = static_cast<int>(any_below(256)),
                               .has_signal = any_flag(),
                               .output = any_text()};
  }

  const Result<RunDetails> read = decode_details(encode(details));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == details);
}

TEST(RunDetails, WrittenByVersionOneAreStillRead) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/details_v1.details";

  const Result<RunDetails> read = decode_details(read_file(path).value());

  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->program, (Program{{"./prog", "--fast"}, "/home/me/prog", "/home/me"}));
  EXPECT_EQ(read->settings,
            (RunSettings{.oracle = {"/bin/sh", "-c", "grep -q ok"},
                         .expected_output = {},
                         .targets = {.kinds = {FailureKind::kDeadlock, FailureKind::kOracle},
                                     .texts = {},
                                     .stacks = {}},
                         .most_steps = 1000,
                         .timeout_milliseconds = 2500,
                         .fork_server = false,
                         .skip_status = std::nullopt}));
  ASSERT_TRUE(read->failure);
  EXPECT_EQ(read->failure->key, "oracle: oracle exit status 1");
  EXPECT_EQ(read->failure->site->function, "worker");
  EXPECT_EQ(read->warnings, std::vector<std::string>{"a warning"});
}

TEST(RunDetails, WrittenByVersionTwoAreStillRead) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/details_v2.details";

  const Result<RunDetails> read = decode_details(read_file(path).value());

  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->settings.expected_output, "/home/me/expected");
  EXPECT_EQ(read->settings.targets,
            (Targets{.kinds = {FailureKind::kDeadlock, FailureKind::kOracle},
                     .texts = {"refcount"},
                     .stacks = {"push"}}));
  ASSERT_TRUE(read->failure);
  EXPECT_EQ(read->failure->key, "oracle: oracle exit status 1");
  EXPECT_EQ(read->warnings, std::vector<std::string>{"a warning"});
  EXPECT_EQ(read->output_left_out, 0u);
  EXPECT_EQ(read->error_output_left_out, 0u);
}

TEST(RunDetails, WrittenByVersionThreeAreStillRead) {
  const std::filesystem::path path =
      std::filesystem::path(__FILE__).parent_path() / "../../golden/details_v3.details";

  const Result<RunDetails> read = decode_details(read_file(path).value());

  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->settings.skip_status, 5);
  ASSERT_TRUE(read->failure);
  EXPECT_EQ(read->failure->key, "exit: exit status 3");
  EXPECT_EQ(read->settings.client, ClientCommand{});
  EXPECT_FALSE(read->client);
}

TEST(RunDetails, OfAVersionThatIsNotKnownAreRefused) {
  for (const int version : {0, 5}) {
    std::vector<std::byte> bytes = encode(RunDetails{});
    bytes[8] = static_cast<std::byte>(version);

    const Result<RunDetails> read = decode_details(bytes);

    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().what, "this stored run has format version " + std::to_string(version) +
                                     ", and this unravel reads version 4");
  }
}

TEST(RunDetails, WithATimeoutThatNoClockCanReachAreRefused) {
  RunDetails details;
  details.settings.timeout_milliseconds = kMostTimeoutMilliseconds + 1;

  EXPECT_FALSE(decode_details(encode(details)));
}

TEST(RunDetails, OfAnotherKindOfFileAreRefused) {
  EXPECT_FALSE(decode_details(encode(Schedule{})));
}

}  // namespace
}  // namespace unravel
