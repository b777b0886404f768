#include "investigate/build_ids.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "recording_observer.hpp"
#include "temporary_store.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

/// This test's own file: it has a build id like any other.
std::string self() { return fs::read_symlink("/proc/self/exe").string(); }

Schedule recorded_with(const std::string& path, const std::string& build_id) {
  Schedule schedule;
  schedule.modules = {{}, {.path = path, .build_id = build_id}};
  return schedule;
}

Program program_at(const std::string& path) {
  return {.arguments = {path}, .path = path, .directory = "/"};
}

/// A switch at a memory access: hooks are counted for it.
Schedule with_switch_at_access(Schedule schedule) {
  schedule.points = wire::PointSet::kAuto;
  schedule.marks = {wire::Site::of(1, 7)};
  schedule.slices.resize(2);
  schedule.slices[0].thread = {.ordinal = 0};
  schedule.slices[0].until = {.operations = 2, .hooks = 5};
  schedule.slices[0].pending = wire::Operation::kLoad;
  schedule.slices[0].end = wire::End::kPreempted;
  schedule.slices[1].thread = {.ordinal = 1};
  schedule.slices[1].until = {.operations = 3, .hooks = 0};
  return schedule;
}

TEST(BuildIds, AreReadFromElfFilesOnly) {
  const TemporaryStore temporary;
  const std::string text = temporary.home() / "text";
  std::ofstream(text) << "no program";

  const auto id = build_id_of(self());

  ASSERT_TRUE(id);
  EXPECT_GE(id->size(), 16u);
  EXPECT_EQ(id->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_FALSE(build_id_of(text));
  EXPECT_FALSE(build_id_of("/no/such/file"));
}

TEST(BuildIds, OfTheSameFilesFit) {
  EXPECT_TRUE(check_same_build(recorded_with(self(), build_id_of(self()).value())));
  EXPECT_TRUE(check_same_build(Schedule()));
  EXPECT_TRUE(check_same_build(recorded_with(self(), ""))) << "nobody can tell";
  EXPECT_TRUE(check_same_build(recorded_with("linux-vdso.so.1", "ab"))) << "it is no file";
  EXPECT_TRUE(check_same_build(recorded_with("/old/lib/unravel/libunravel-rt.so", "ab")))
      << "ours changes whenever we are built";
}

TEST(BuildIds, OfAProgramThatWasBuiltAnewAreNamed) {
  const auto fits = check_same_build(recorded_with(self(), "abcd"));

  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().what, self() + " was rebuilt since the schedule was recorded");
  EXPECT_NE(fits.error().why.find("abcd"), std::string::npos);
  EXPECT_NE(fits.error().why.find(build_id_of(self()).value()), std::string::npos);
  EXPECT_NE(fits.error().hint.find("--lenient"), std::string::npos);
}

TEST(BuildIds, OfAFileThatIsGoneAreUnknown) {
  const auto fits = check_same_build(recorded_with("/no/such/file", "abcd"));

  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().what, "/no/such/file does not exist any more, or has lost its build id");
}

TEST(BuildIds, TellAnotherProgramFromOneThatWasBuiltAnew) {
  const std::string own = build_id_of(self()).value();

  EXPECT_TRUE(check_same_program(recorded_with(self(), "abcd"), program_at(self())));
  EXPECT_TRUE(check_same_program(recorded_with("/moved", own), program_at(self())));
  EXPECT_TRUE(check_same_program(recorded_with("/other", "abcd"), program_at("/no/such/file")))
      << "a script has no build id";
  EXPECT_TRUE(check_same_program(Schedule(), program_at(self())));

  const auto other = check_same_program(recorded_with("/other", "abcd"), program_at(self()));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().what, "the schedule was recorded with /other, not with " + self());
}

TEST(BuildIds, OfTwoSchedulesAreComparedByPath) {
  EXPECT_TRUE(same_builds(recorded_with("/p", "aa"), recorded_with("/p", "aa")));
  EXPECT_TRUE(same_builds(recorded_with("/p", "aa"), recorded_with("/q", "bb")));
  EXPECT_TRUE(same_builds(recorded_with("/p", "aa"), recorded_with("/p", "")));
  EXPECT_FALSE(same_builds(recorded_with("/p", "aa"), recorded_with("/p", "bb")));
}

TEST(BuildIds, OfAnotherBuildTakeMarksAndSwitchesAtAccessesAway) {
  Schedule schedule = with_switch_at_access(recorded_with(self(), "abcd"));

  EXPECT_EQ(fit_to_other_build(schedule), 1u);

  EXPECT_EQ(schedule.points, wire::PointSet::kMemory);
  EXPECT_TRUE(schedule.marks.empty());
  ASSERT_FALSE(schedule.slices.empty());
  EXPECT_EQ(schedule.slices[0].until.hooks, 0u);
}

TEST(BuildIds, OfAnotherBuildAreWarnedOfWhereTheyAreFollowedLeniently) {
  RecordingObserver observer;
  Schedule schedule = with_switch_at_access(recorded_with(self(), "abcd"));

  fit_to_build(schedule, program_at(self()), wire::Following::kLenient, observer);

  ASSERT_EQ(observer.warnings.size(), 1u);
  EXPECT_EQ(observer.warnings[0],
            self() +
                " was rebuilt since the schedule was recorded: 1 switch at memory accesses "
                "was moved to the synchronisation operation before it");
}

TEST(BuildIds, ChangeNothingThatFitsOrIsFollowedStrictly) {
  RecordingObserver observer;
  const Schedule other = with_switch_at_access(recorded_with(self(), "abcd"));
  const Schedule same = with_switch_at_access(recorded_with(self(), build_id_of(self()).value()));
  Schedule strictly = other;
  Schedule leniently = same;

  fit_to_build(strictly, program_at(self()), wire::Following::kStrict, observer);
  fit_to_build(leniently, program_at(self()), wire::Following::kLenient, observer);

  EXPECT_EQ(strictly, other);
  EXPECT_EQ(leniently, same);
  EXPECT_TRUE(observer.warnings.empty());
}

}  // namespace
}  // namespace unravel
