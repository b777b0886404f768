#include "run/gdb.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(Gdb, NeedsATerminalUnlessAProgramUsesIt) {
  EXPECT_TRUE(needs_terminal({}));
  EXPECT_TRUE(needs_terminal({"-nx", "-ex", "bt"}));
  EXPECT_TRUE(needs_terminal({"-i", "console"}));
  for (const char* option : {"-batch", "--batch", "-i=mi", "--interpreter=mi3", "-i=dap"}) {
    EXPECT_FALSE(needs_terminal({"-nx", option})) << option;
  }
  EXPECT_FALSE(needs_terminal({"--interpreter", "mi2"}));
}

TEST(Gdb, ArgumentsOfACommandAreQuoted) {
  EXPECT_EQ(gdb_command("unravel open", {"--store", "/a b/.unravel", "3fa", ""}),
            "unravel open --store /a\\ b/.unravel 3fa ''");
  EXPECT_EQ(gdb_command("x", {"a'b\"c\\d"}), "x a\\'b\\\"c\\\\d");
}

}  // namespace
}  // namespace unravel
