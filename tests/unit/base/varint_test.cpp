#include "base/varint.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <limits>

#include "property/property.hpp"

namespace unravel {
namespace {

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> result;
  for (const int value : values) result.push_back(static_cast<std::byte>(value));
  return result;
}

PROPERTY(Varint, ReadsBackWhatWasAppended, (const std::vector<std::uint64_t>& values)) {
  std::vector<std::byte> written;
  for (const std::uint64_t value : values) append_varint(written, value);

  ByteReader reader(written);
  for (const std::uint64_t value : values) RC_ASSERT(reader.varint() == value);
  RC_ASSERT(reader.at_end());
}

PROPERTY(ByteReader, NeverReadsOutsideArbitraryBytes, (const std::vector<std::uint8_t>& noise)) {
  ByteReader reader(std::as_bytes(std::span(noise)));

  while (reader.varint()) {
  }

  RC_ASSERT(reader.offset() <= noise.size());
}

TEST(Varint, UsesOneByteBelow128AndTenForTheLargestNumber) {
  std::vector<std::byte> small;
  std::vector<std::byte> large;

  append_varint(small, 127);
  append_varint(large, std::numeric_limits<std::uint64_t>::max());

  EXPECT_EQ(small, bytes({127}));
  EXPECT_EQ(large.size(), 10u);
  EXPECT_EQ(ByteReader(large).varint(), std::numeric_limits<std::uint64_t>::max());
}

TEST(ByteReader, RefusesBadNumbersAndStaysWhereItWas) {
  const struct {
    std::vector<std::byte> input;
    const char* why;
  } cases[] = {
      {{}, "the data ends in the middle of a number"},
      {bytes({0x80}), "the data ends in the middle of a number"},
      {bytes({0x80, 0x00}), "the number has needless zero bytes"},
      {bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}),
       "the number is over 64 bits"},
      {bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x00}),
       "the number is over 64 bits"},
  };
  for (const auto& [input, why] : cases) {
    ByteReader reader(input);

    const Result<std::uint64_t> value = reader.varint();

    ASSERT_FALSE(value.has_value());
    EXPECT_EQ(value.error().why, why);
    EXPECT_EQ(reader.offset(), 0u);
  }
}

TEST(ByteReader, TakesBytesUpToTheEndAndNoFurther) {
  const std::vector<std::byte> three = bytes({1, 2, 3});
  ByteReader reader(three);

  EXPECT_EQ(reader.byte(), 1);
  ASSERT_TRUE(reader.take(2).has_value());
  EXPECT_TRUE(reader.at_end());
  EXPECT_FALSE(reader.byte().has_value());
  EXPECT_TRUE(reader.take(0).has_value());
  EXPECT_FALSE(reader.take(std::numeric_limits<std::uint64_t>::max()).has_value());
}

}  // namespace
}  // namespace unravel
