#include "data/portable_constraint.hpp"

#include <gtest/gtest.h>

#include "data/schedule.hpp"
#include "generators.hpp"
#include "property/property.hpp"

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
          .line = static_cast<int>(any_below(1u << 28)),
          .first_line = static_cast<int>(any_below(1u << 28)),
          .text = any_text(),
          .rank = static_cast<std::uint32_t>(any_number()),
          .operation = any_operation(),
          .occurrence = any_number()};
}

PROPERTY(PortableConstraint, IsReadAsItWasWritten, ()) {
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

  EXPECT_EQ(find_site(portable(before[1], 1, before), now, Likeness::kNearest), now[1].site);
}

TEST(PortableConstraint, TellsSitesOfOneLineApartByTheirOrder) {
  const std::vector<NamedSite> before = {
      site(30, Operation::kLoad, 5), site(10, Operation::kLoad, 5), site(20, Operation::kStore, 5)};
  const std::vector<NamedSite> now = {site(41, Operation::kLoad, 5), site(51, Operation::kStore, 5),
                                      site(61, Operation::kLoad, 5)};

  EXPECT_EQ(find_site(portable(before[0], 1, before), now, Likeness::kNearest), now[2].site);
  EXPECT_EQ(find_site(portable(before[1], 1, before), now, Likeness::kNearest), now[0].site);
  EXPECT_EQ(find_site(portable(before[2], 1, before), now, Likeness::kNearest), now[1].site);
}

TEST(PortableConstraint, TakesTheNearestLineInAFunctionThatWasEdited) {
  const std::vector<NamedSite> before = {site(10, Operation::kLock, 5),
                                         site(20, Operation::kStore, 9)};
  const std::vector<NamedSite> now = {site(10, Operation::kLock, 5), site(20, Operation::kStore, 6),
                                      site(30, Operation::kStore, 11)};

  EXPECT_EQ(find_site(portable(before[1], 1, before), now, Likeness::kNearest), now[2].site);
}

TEST(PortableConstraint, FindsALineThatReadsTheSameInAFunctionThatWasEdited) {
  // A line was put in front, so that another store is where this one was.
  std::vector<NamedSite> before = {site(10, Operation::kStore, 5), site(20, Operation::kStore, 6)};
  before[0].text = "shared = NULL;";
  before[1].text = "node->alive = 0;";
  std::vector<NamedSite> now = {site(10, Operation::kStore, 5), site(20, Operation::kStore, 6),
                                site(30, Operation::kStore, 7)};
  now[0].text = "unrelated = 1;";
  now[1].text = before[0].text;
  now[2].text = before[1].text;

  EXPECT_EQ(find_site(portable(before[0], 1, before), now, Likeness::kNearest), now[1].site);
  EXPECT_EQ(find_site(portable(before[1], 1, before), now, Likeness::kNearest), now[2].site);
}

TEST(PortableConstraint, IsNotTakenForWhatTheRunDidNotComeTo) {
  // The other build came to the first load only, which is another one's place.
  std::vector<NamedSite> before = {site(10, Operation::kLoad, 5), site(20, Operation::kLoad, 6),
                                   site(30, Operation::kStore, 9, "drop")};
  before[0].text = "node = shared;";
  before[1].text = "assert(node->alive);";
  before[2].text = "node->alive = 0;";
  const std::vector<NamedSite> now = {before[0], before[2]};
  const std::vector<PortableConstraint> constraints = {
      {portable(before[2], 1, before), portable(before[1], 1, before)},
      {portable(before[0], 1, before), portable(before[2], 1, before)}};

  EXPECT_EQ(find_site(constraints[0].then, now, Likeness::kSame), std::nullopt);
  for (const Likeness likeness : {Likeness::kSame, Likeness::kNearest}) {
    const auto found = find_constraints(constraints, now, likeness);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first.site, before[0].site);
  }
}

TEST(PortableConstraint, MayBeTheNearestLineIfThatWasEdited) {
  std::vector<NamedSite> before = {site(10, Operation::kLoad, 5), site(20, Operation::kStore, 6)};
  before[0].text = "int seen = balance;";
  before[1].text = "balance = seen + 1;";
  std::vector<NamedSite> now = before;
  now[1].text = "balance = seen + 2;";
  const std::vector<PortableConstraint> constraints = {
      {portable(before[0], 1, before), portable(before[1], 1, before)}};

  EXPECT_TRUE(find_constraints(constraints, now, Likeness::kSame).empty());
  EXPECT_EQ(find_constraints(constraints, now, Likeness::kNearest).size(), 1u);
}

TEST(PortableConstraint, FindsNothingInAnotherFunctionOrOfAnotherOperation) {
  const std::vector<NamedSite> before = {site(10, Operation::kLoad, 5)};
  const std::vector<NamedSite> now = {site(10, Operation::kLoad, 5, "sub"),
                                      site(20, Operation::kStore, 5)};

  EXPECT_EQ(find_site(portable(before[0], 1, before), now, Likeness::kNearest), std::nullopt);
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

  const auto found = find_constraints(constraints, now, Likeness::kSame);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.site, now[0].site);
  EXPECT_EQ(found[0].first.occurrence, 2u);
  EXPECT_EQ(found[0].then.site, now[1].site);
  EXPECT_EQ(found[0].then.operation, Operation::kStore);
  EXPECT_EQ(found[0].then.occurrence, 1u);
}

}  // namespace
}  // namespace unravel
