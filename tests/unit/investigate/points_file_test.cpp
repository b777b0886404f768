#include "investigate/points_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "investigate/build_ids.hpp"
#include "recording_observer.hpp"
#include "temporary_store.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

class PointsFileTest : public testing::Test {
 protected:
  PointsFileTest() { temporary_.open(); }

  PointsFile file(const std::string& program) {
    return PointsFile({.arguments = {program}, .path = program, .directory = "/"},
                      temporary_.path(), observer_);
  }

  static LearntPoints points(const std::string& build_id) {
    return {.modules = {{}, {.path = self(), .build_id = build_id}},
            .sites = {wire::Site::of(1, 16), wire::Site::of(1, 32)}};
  }
  static std::string self() { return fs::read_symlink("/proc/self/exe").string(); }
  [[nodiscard]] fs::path folder() const { return fs::path(temporary_.path()) / "points"; }

  TemporaryStore temporary_;
  RecordingObserver observer_;
};

TEST_F(PointsFileTest, GivesBackWhatWasLearntOfThisBuild) {
  EXPECT_FALSE(file(self()).read()) << "nothing yet";
  const LearntPoints learnt = points(build_id_of(self()).value());

  file(self()).keep(learnt);

  EXPECT_EQ(file(self()).read(), learnt);
  EXPECT_TRUE(fs::exists(folder() / build_id_of(self()).value()));
  EXPECT_FALSE(file("/bin/sh").read()) << "another program";
  EXPECT_TRUE(observer_.warnings.empty());
}

TEST_F(PointsFileTest, OfAProgramWithoutABuildIdGoesByItsPath) {
  file("/no/such/script").keep(points(""));

  EXPECT_TRUE(file("/no/such/script").read());
  EXPECT_TRUE(fs::exists(folder() / "_no_such_script"));
}

TEST_F(PointsFileTest, IsNotReadOnceALibraryIsAnother) {
  file(self()).keep(points("abcd"));

  EXPECT_FALSE(file(self()).read());
  EXPECT_TRUE(observer_.warnings.empty()) << "that is nothing to worry about";
}

TEST_F(PointsFileTest, ThatIsDamagedIsWarnedOf) {
  file("/script").keep(points(""));
  std::ofstream(folder() / "_script") << "nonsense";

  EXPECT_FALSE(file("/script").read());
  ASSERT_EQ(observer_.warnings.size(), 1u);
  EXPECT_TRUE(observer_.warnings[0].starts_with(
      "the points learnt for this program cannot be read and are learnt again: "))
      << observer_.warnings[0];
}

TEST_F(PointsFileTest, ThatCannotBeWrittenIsWarnedOf) {
  std::ofstream(folder()) << "a file where the folder should be";

  file("/script").keep(points(""));

  ASSERT_EQ(observer_.warnings.size(), 1u);
  EXPECT_TRUE(
      observer_.warnings[0].starts_with("the points learnt for this program could not be stored: "))
      << observer_.warnings[0];
  EXPECT_FALSE(file("/script").read());
}

}  // namespace
}  // namespace unravel
