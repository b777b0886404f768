#include "data/steps.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "generators.hpp"

namespace unravel {
namespace {

RC_GTEST_PROP(Steps, AreReadAsTheyWereWritten, ()) {
  StepsAndEvents all;
  all.steps = any_number_of<Step>([] { return Step{any_event(), any_stack(), any_text()}; });
  all.events = any_number_of<wire::Event>(any_event);

  const Result<StepsAndEvents> read = decode_steps(encode(all));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == all);
}

TEST(Steps, ThatWereCutOffAreRefused) {
  StepsAndEvents all;
  all.steps.resize(3);
  all.steps[1].stack = {{.function = "main", .file = "a.c", .line = 3}};
  const std::vector<std::byte> bytes = encode(all);

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_steps(std::span(bytes).first(size))) << size;
  }
}

TEST(Steps, WithTheSameStackAThousandTimesAreSmall) {
  StepsAndEvents all;
  all.steps.resize(1000);
  for (Step& step : all.steps) {
    step.stack.assign(20, {.function = std::string(100, 'f'), .file = "/a/b/c.cpp", .line = 7});
  }

  EXPECT_LT(encode(all).size(), 1000u);
}

}  // namespace
}  // namespace unravel
