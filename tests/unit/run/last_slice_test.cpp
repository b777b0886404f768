#include <gtest/gtest.h>

#include "run/process_runner.hpp"

namespace unravel {
namespace {

TEST(LastSlice, IsClosedWhereTheRunDidNot) {
  wire::ThreadRecord current;
  current.thread = {.ordinal = 1};
  current.clock = {.operations = 7, .hooks = 1};
  std::vector<wire::Slice> slices = {{.thread = {.ordinal = 0}, .until = {.operations = 3}}};

  close_last_slice(slices, current);
  close_last_slice(slices, current);

  ASSERT_EQ(slices.size(), 2u) << "once closed it stays so";
  EXPECT_EQ(slices[1].thread.ordinal, 1u);
  EXPECT_EQ(slices[1].until, current.clock);
  EXPECT_EQ(slices[1].end, wire::End::kEnded);
}

TEST(LastSlice, IsMissingWhereTheRunHadNoPoint) {
  std::vector<wire::Slice> slices;

  close_last_slice(slices, {});

  EXPECT_TRUE(slices.empty());
}

}  // namespace
}  // namespace unravel
