#include "base/base64.hpp"

#include <gtest/gtest.h>

#include "property/property.hpp"

namespace unravel {
namespace {

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

PROPERTY(Base64, DecodesWhatItEncoded, (const std::vector<std::uint8_t>& values)) {
  const auto original = std::as_bytes(std::span(values));

  const Result<std::vector<std::byte>> decoded = decode_base64(encode_base64(original));

  RC_ASSERT(decoded.has_value());
  RC_ASSERT(std::equal(decoded->begin(), decoded->end(), original.begin(), original.end()));
}

PROPERTY(Base64, HasOneTextPerByteSequence, (const std::string& text)) {
  const Result<std::vector<std::byte>> decoded = decode_base64(text);

  if (decoded) RC_ASSERT(encode_base64(*decoded) == text);
}

TEST(Base64, EncodesTheExamplesOfTheRfcWithoutPadding) {
  EXPECT_EQ(encode_base64(bytes("")), "");
  EXPECT_EQ(encode_base64(bytes("f")), "Zg");
  EXPECT_EQ(encode_base64(bytes("fo")), "Zm8");
  EXPECT_EQ(encode_base64(bytes("foo")), "Zm9v");
  EXPECT_EQ(encode_base64(bytes("foobar")), "Zm9vYmFy");
}

TEST(Base64, UsesTheAlphabetThatIsSafeInUrlsAndFileNames) {
  EXPECT_EQ(encode_base64(bytes("\xfb\xff\xfe")), "-__-");
}

TEST(Base64, RefusesOtherCharactersAndTextThatWasCutOff) {
  for (const std::string_view text : {"Zg==", "Zm+v", "Zm/v", "Zm 9", "Z", "Zm9vY", "Zh", "\xff"}) {
    EXPECT_FALSE(decode_base64(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace unravel
