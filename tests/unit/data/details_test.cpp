#include "data/details.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators.hpp"

namespace unravel {
namespace {

Failure any_failure() {
  Failure failure;
  failure.kind = static_cast<FailureKind>(any_below(9));
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

RC_GTEST_PROP(RunDetails, AreReadAsTheyWereWritten, ()) {
  RunDetails details;
  details.program = {any_number_of<std::string>(any_text), any_text(), any_text()};
  details.settings.oracle = any_number_of<std::string>(any_text);
  details.settings.targets =
      any_number_of<FailureKind>([] { return static_cast<FailureKind>(any_below(9)); });
  details.settings.most_steps = any_number();
  details.settings.timeout_milliseconds = any_number();
  details.settings.fork_server = any_flag();
  if (any_flag()) details.failure = any_failure();
  details.explanation = any_text();
  details.warnings = any_number_of<std::string>(any_text);

  const Result<RunDetails> read = decode_details(encode(details));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == details);
}

TEST(RunDetails, OfAnotherKindOfFileAreRefused) {
  EXPECT_FALSE(decode_details(encode(Schedule{})));
}

}  // namespace
}  // namespace unravel
