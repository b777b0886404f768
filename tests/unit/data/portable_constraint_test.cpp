#include "data/portable_constraint.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/schedule.hpp"
#include "generators.hpp"

namespace unravel {
namespace {

using wire::Operation;

NamedSite site(std::uint64_t offset, Operation operation, int line, std::string function = "add") {
  return {.site = wire::Site::of(1, offset),
          .operation = operation,
          .function = std::move(function),
          .file = "a.c",
          .line = line};
}

PortableEvent any_event() {
  return {.function = any_text(),
          .file = any_text(),
          .line = static_cast<int>(any_below(1u << 31)),
          .first_line = static_cast<int>(any_below(1u << 31)),
          .rank = static_cast<std::uint32_t>(any_number()),
          .operation = any_operation(),
          .occurrence = any_number()};
}

RC_GTEST_PROP(PortableConstraint, IsReadAsItWasWritten, ()) {
  const auto all = any_number_of<PortableConstraint>([] {
    return PortableConstraint{any_event(), any_event()};
  });

  const auto read = decode_portable_constraints(encode(all));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == all);
}

TEST(PortableConstraint, OfAnotherKindOfFileIsRefused) {
  EXPECT_FALSE(decode_portable_constraints(encode(Schedule{})));
}

TEST(PortableConstraint, FindsItsSiteWhenLinesWereAddedAbove) {
  // One line further down every load stands where the one below it stood.
  const std::vector<NamedSite> before = {
      site(10, Operation::kLoad, 5), site(20, Operation::kLoad, 6), site(30, Operation::kLoad, 7)};
  const std::vector<NamedSite> now = {site(11, Operation::kLoad, 6), site(21, Operation::kLoad, 7),
                                      site(31, Operation::kLoad, 8)};

  EXPECT_EQ(find_site(portable(before[1], 1, before), now), now[1].site);
}

TEST(PortableConstraint, TellsSitesOfOneLineApartByTheirOrder) {
  const std::vector<NamedSite> before = {
      site(30, Operation::kLoad, 5), site(10, Operation::kLoad, 5), site(20, Operation::kStore, 5)};
  const std::vector<NamedSite> now = {site(41, Operation::kLoad, 5), site(51, Operation::kStore, 5),
                                      site(61, Operation::kLoad, 5)};

  EXPECT_EQ(find_site(portable(before[0], 1, before), now), now[2].site);
  EXPECT_EQ(find_site(portable(before[1], 1, before), now), now[0].site);
  EXPECT_EQ(find_site(portable(before[2], 1, before), now), now[1].site);
}

TEST(PortableConstraint, TakesTheNearestLineInAFunctionThatWasEdited) {
  const std::vector<NamedSite> before = {site(10, Operation::kLock, 5),
                                         site(20, Operation::kStore, 9)};
  const std::vector<NamedSite> now = {site(10, Operation::kLock, 5), site(20, Operation::kStore, 6),
                                      site(30, Operation::kStore, 11)};

  EXPECT_EQ(find_site(portable(before[1], 1, before), now), now[2].site);
}

TEST(PortableConstraint, FindsNothingInAnotherFunctionOrOfAnotherOperation) {
  const std::vector<NamedSite> before = {site(10, Operation::kLoad, 5)};
  const std::vector<NamedSite> now = {site(10, Operation::kLoad, 5, "sub"),
                                      site(20, Operation::kStore, 5)};

  EXPECT_EQ(find_site(portable(before[0], 1, before), now), std::nullopt);
}

TEST(PortableConstraint, IsFoundOnlyWithBothSides) {
  const std::vector<NamedSite> before = {site(10, Operation::kLoad, 5),
                                         site(20, Operation::kStore, 6),
                                         site(30, Operation::kStore, 4, "sub")};
  const std::vector<NamedSite> now = {site(12, Operation::kLoad, 5),
                                      site(22, Operation::kStore, 6)};
  const std::vector<PortableConstraint> constraints = {
      {portable(before[0], 2, before), portable(before[1], 1, before)},
      {portable(before[0], 1, before), portable(before[2], 1, before)}};

  const auto found = find_constraints(constraints, now);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.site, now[0].site);
  EXPECT_EQ(found[0].first.occurrence, 2u);
  EXPECT_EQ(found[0].then.site, now[1].site);
  EXPECT_EQ(found[0].then.operation, Operation::kStore);
  EXPECT_EQ(found[0].then.occurrence, 1u);
}

}  // namespace
}  // namespace unravel
