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

std::size_t size_of(const Environment& environment) {
  std::size_t size = 0;
  for (const std::string& variable : environment.variables) size += variable.size() + 1;
  return size;
}

TEST(Environment, BlanksTakeTheRoomOfWhatWasLeftOut) {
  const Environment whole{.variables = {"SECRET=abc", "A=1", "LANG=C", "HOME=/home/alice", "=", ""},
                          .umask = 077,
                          .limits = {{.resource = 3, .soft = 1, .hard = 2}}};
  const Environment blanked = with_blanks(whole, {"LANG"});
  EXPECT_EQ(blanked.variables.size(), whole.variables.size());
  EXPECT_EQ(size_of(blanked), size_of(whole));
  EXPECT_EQ(blanked.variables[2], "LANG=C") << "it stays where it was";
  EXPECT_EQ(blanked.umask, whole.umask);
  EXPECT_EQ(blanked.limits, whole.limits);
  for (const std::string& variable : blanked.variables) {
    EXPECT_EQ(is_blank(variable), variable != "LANG=C") << variable;
    EXPECT_EQ(variable.find("alice"), variable.npos);
  }
  // Nobody can tell how long each of them was.
  EXPECT_EQ(blanked.variables[0], "_____=");
  EXPECT_EQ(blanked.variables[1], "______=");
  EXPECT_EQ(with_blanks(blanked, {"LANG"}), blanked);
  EXPECT_EQ(with_blanks(whole, {"SECRET", "A", "LANG", "HOME", ""}).variables.size(), 6u);
}

TEST(Environment, BlanksTakeTheRoomOfPreloadedLibraries) {
  // At a start they move behind the runtime: LD_PRELOAD=runtime:libx.so.
  const Environment whole{.variables = {"LD_PRELOAD=libx.so", "A=1"}, .limits = {}};
  const Environment blanked = with_blanks(whole, {});
  ASSERT_EQ(blanked.variables.size(), 1u);
  EXPECT_EQ(blanked.variables[0].size(), std::string("A=1:libx.so").size());
  EXPECT_EQ(with_blanks(whole, {"LD_PRELOAD"}).variables[0], "LD_PRELOAD=libx.so");
}

TEST(Environment, TheLastBlankCanBeStretched) {
  Environment environment{.variables = {"__=", "___=", "A=1"}, .limits = {}};
  EXPECT_TRUE(stretch_blank(environment, 2));
  EXPECT_EQ(environment.variables, (std::vector<std::string>{"__=", "_____=", "A=1"}));
  EXPECT_TRUE(stretch_blank(environment, -6));
  EXPECT_EQ(environment.variables[1], "");
  EXPECT_FALSE(stretch_blank(environment, -1));
  Environment none{.variables = {"A=1", "_x="}, .limits = {}};
  EXPECT_FALSE(stretch_blank(none, 1));
}

}  // namespace
}  // namespace unravel
