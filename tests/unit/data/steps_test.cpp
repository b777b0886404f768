#include "data/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/bytes.hpp"
#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

PROPERTY(Steps, AreReadAsTheyWereWritten, ()) {
  StepsAndEvents all;
  all.steps = any_number_of<Step>([] {
    return Step{any_event(), any_stack(), any_text(), any_text()};
  });
  all.events = any_number_of<wire::Event>(any_event);

  const Result<StepsAndEvents> read = decode_steps(encode(all));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == all);
}

TEST(Steps, OfAnotherVersionAreRefusedByItsNumber) {
  for (const unsigned version : {1u, 3u}) {
    std::vector<std::byte> sealed = *decompress(encode(StepsAndEvents{}), 1000, "table");
    sealed[8] = static_cast<std::byte>(version);  // behind the magic

    const Result<StepsAndEvents> read = decode_steps(compress(sealed));

    ASSERT_FALSE(read);
    EXPECT_NE(read.error().what.find("format version " + std::to_string(version) +
                                     ", and this unravel reads version 2"),
              std::string::npos)
        << read.error().what;
  }
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

TEST(Steps, ThatClaimMoreThanTheyCanHoldAreNotUnpacked) {
  // The head of a frame of zstd that says 200 MB, and next to nothing behind it.
  constexpr unsigned char kHead[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0x00, 0xc2,
                                     0xeb, 0x0b, 0x00, 0x00, 0x00, 0x00};
  std::vector<std::byte> bytes(104);
  std::ranges::copy(std::as_bytes(std::span(kHead)), bytes.begin());

  const Result<StepsAndEvents> read = decode_steps(bytes);

  ASSERT_FALSE(read);
  EXPECT_NE(read.error().why.find("claims to be 200000000 bytes"), std::string::npos)
      << read.error().why;
}

TEST(Steps, WithManyEqualRowsAreReadBack) {
  // Nothing compresses better: the bound on what a byte may stand for must not be met.
  StepsAndEvents all;
  all.events.resize(1'000'000);

  EXPECT_EQ(decode_steps(encode(all))->events.size(), all.events.size());
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
