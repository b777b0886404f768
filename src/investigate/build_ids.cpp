#include "investigate/build_ids.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "data/rounding.hpp"

namespace unravel {

namespace {

// The runtime is rebuilt with unravel; its version is checked elsewhere.
constexpr std::string_view kRuntime = "libunravel-rt.so";

/// Whether it is a file of the program with a known build id.
bool tells_build(const ModuleId& module) {
  return !module.build_id.empty() && module.path.starts_with("/") &&
         std::filesystem::path(module.path).filename() != kRuntime;
}

}  // namespace

Result<void> check_same_program(const Schedule& schedule, const Program& program) {
  // A script has no build id.
  const std::optional<std::string> given = build_id_of(program.path);
  if (schedule.modules.size() < 2 || !given) return {};
  const ModuleId& recorded = schedule.modules[1];
  // The same path with another id is the same program after a rebuild.
  const bool is_other = !recorded.build_id.empty() && recorded.build_id != *given &&
                        recorded.path.starts_with("/") && recorded.path != program.path;
  if (!is_other) return {};
  return user_error(
      "the schedule was recorded with " + recorded.path + ", not with " + program.path,
      "their build ids are " + recorded.build_id + " and " + *given +
          ": the steps of the schedule belong to the other program",
      "use --lenient to follow the schedule as far as possible");
}

std::optional<OtherBuild> find_other_build(const Schedule& schedule) {
  for (std::size_t i = 0; i < schedule.modules.size(); ++i) {
    const ModuleId& module = schedule.modules[i];
    if (!tells_build(module)) continue;
    std::optional<std::string> now = build_id_of(module.path);
    if (now != module.build_id) return OtherBuild{module, i == 1, std::move(now)};
  }
  return std::nullopt;
}

Result<void> check_same_build(const Schedule& schedule) {
  const std::optional<OtherBuild> other = find_other_build(schedule);
  if (!other) return {};
  const ModuleId& module = other->recorded;
  return user_error(
      module.path + (other->now ? " was rebuilt since the schedule was recorded"
                                : " does not exist any more, or has lost its build id"),
      "recorded with build id " + module.build_id + ", now " + other->now.value_or("unknown") +
          ": the steps of the schedule belong to the old build",
      "use --lenient to follow the schedule as far as possible");
}

bool same_builds(const Schedule& one, const Schedule& other) {
  for (const ModuleId& module : one.modules) {
    for (const ModuleId& theirs : other.modules) {
      if (module.path == theirs.path && module.build_id != theirs.build_id && tells_build(module) &&
          tells_build(theirs)) {
        return false;
      }
    }
  }
  return true;
}

std::uint64_t fit_to_other_build(Schedule& schedule) {
  if (schedule.points == wire::PointSet::kAuto) {  // the marked sites belong to the other build
    schedule.points = wire::PointSet::kMemory;
    schedule.marks.clear();
  }
  return round_to_operations(schedule);
}

void fit_to_build(Schedule& schedule, const Program& program, wire::Following following,
                  Observer& observer) {
  if (following != wire::Following::kLenient) return;
  const Result<void> fits = check_same_program(schedule, program);
  const Result<void> same = fits ? check_same_build(schedule) : fits;
  if (same) return;
  const std::uint64_t moved = fit_to_other_build(schedule);
  if (moved == 0) return;
  observer.warn(same.error().what + ": " + plural(moved, "switch") + " at memory accesses " +
                (moved == 1 ? "was" : "were") + " moved to the synchronisation operation before " +
                (moved == 1 ? "it" : "them"));
}

}  // namespace unravel
