#include "data/environment.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

std::string any_variable() {
  std::string text = any_text();
  std::erase(text, '\0');
  return text;
}

Environment any_environment() {
  Environment environment;
  environment.variables = any_number_of<std::string>(any_variable);
  environment.umask = static_cast<std::uint32_t>(any_below(01000));
  environment.limits = any_number_of<ResourceLimit>([] {
    const std::uint64_t one = any_number();
    const std::uint64_t other = any_number();
    return ResourceLimit{static_cast<std::uint32_t>(any_below(16)), std::min(one, other),
                         std::max(one, other)};
  });
  return environment;
}

PROPERTY(Environment, IsReadAsItWasWritten, ()) {
  const Environment environment = any_environment();

  const Result<Environment> read = decode_environment(encode(environment));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == environment);
}

PROPERTY(Environment, CutShortIsRefused, ()) {
  const std::vector<std::byte> bytes = encode(any_environment());

  RC_ASSERT(!decode_environment(std::span(bytes).first(any_below(bytes.size()))));
}

TEST(Environment, ThatNoProgramCanHaveIsRefused) {
  Environment with_zero;
  with_zero.variables = {std::string("A=b\0c", 5)};
  EXPECT_FALSE(decode_environment(encode(with_zero)));

  Environment with_umask;
  with_umask.umask = 01000;
  EXPECT_FALSE(decode_environment(encode(with_umask)));

  Environment with_resource;
  with_resource.limits = {{.resource = 16, .soft = 0, .hard = 0}};
  EXPECT_FALSE(decode_environment(encode(with_resource)));

  Environment with_limit;
  with_limit.limits = {{.resource = 7, .soft = 2, .hard = 1}};
  EXPECT_FALSE(decode_environment(encode(with_limit)));
}

TEST(Variables, ThatDifferAreNamedOnceInOrder) {
  Environment one;
  one.variables = {"SAME=1", "OTHER=a", "GONE=", "PLAIN"};
  Environment other;
  other.variables = {"NEW=x", "OTHER=b", "SAME=1", "PLAIN", "SAME=2"};

  EXPECT_EQ(different_variables(one, other), (std::vector<std::string>{"GONE", "NEW", "OTHER"}));
  EXPECT_EQ(different_variables(other, one), (std::vector<std::string>{"GONE", "NEW", "OTHER"}));
  EXPECT_TRUE(different_variables(one, one).empty());
}

}  // namespace
}  // namespace unravel
