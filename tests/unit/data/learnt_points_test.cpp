#include "data/learnt_points.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "property/property.hpp"

namespace unravel {
namespace {

const std::vector<ModuleId> kModules = {{}, {.path = "/bin/a", .build_id = "00ff"}, {.path = "b"}};

PROPERTY(LearntPoints, AreReadAsTheyWereWritten, ()) {
  LearntPoints points{.modules = kModules, .sites = {}};
  points.widen(kModules, any_number_of<wire::Site>([] {
                 return wire::Site::of(static_cast<std::uint32_t>(any_below(3)), any_below(1000));
               }));

  const Result<LearntPoints> read = decode_learnt_points(encode(points));

  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == points);
}

TEST(LearntPoints, AreWidenedByWhatIsNew) {
  LearntPoints points{.modules = kModules, .sites = {}};
  const wire::Site one[] = {wire::Site::of(1, 20), wire::Site::of(1, 10)};
  EXPECT_TRUE(points.widen(kModules, one));
  EXPECT_FALSE(points.widen(kModules, one));
  EXPECT_EQ(points.sites, (std::vector{wire::Site::of(1, 10), wire::Site::of(1, 20)}));
}

TEST(LearntPoints, HaveNoSitesOfUnknownCode) {
  LearntPoints points{.modules = kModules, .sites = {}};
  const wire::Site unknown[] = {wire::Site{}, wire::Site::of(0, 77)};
  EXPECT_FALSE(points.widen(kModules, unknown));
}

// A plugin that one run loads and the next does not, or another one in its place.
TEST(LearntPoints, OfWhatIsNotAlwaysLoadedAreLeftOut) {
  const wire::Site sites[] = {wire::Site::of(1, 10), wire::Site::of(2, 20)};
  const std::vector<ModuleId> without(kModules.begin(), kModules.begin() + 2);
  std::vector<ModuleId> other = kModules;
  other[2].path = "c";
  for (const auto& loaded : {without, other}) {
    LearntPoints points;
    points.widen(kModules, sites);

    points.widen(loaded, sites);

    EXPECT_EQ(points.sites, std::vector{sites[0]});
    const Result<LearntPoints> read = decode_learnt_points(encode(points));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, points);
  }
}

TEST(LearntPoints, OfAModuleThatIsNotThereAreRefused) {
  const LearntPoints points{.modules = {{}}, .sites = {wire::Site::of(1, 10)}};
  EXPECT_FALSE(decode_learnt_points(encode(points)));
}

}  // namespace
}  // namespace unravel
