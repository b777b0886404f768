/// Checks whether the program is still the one with which a schedule was recorded.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "data/program.hpp"
#include "data/schedule.hpp"
#include "investigate/observer.hpp"
#include "symbolize/build_id.hpp"

namespace unravel {

/// An error if the schedule was recorded with another program.
Result<void> check_same_program(const Schedule& schedule, const Program& program);

/// A file that is not the one that a schedule was recorded with.
struct OtherBuild {
  ModuleId recorded;
  bool is_program = false;         // otherwise a library
  std::optional<std::string> now;  // its build id; nothing: there is no such file, or it has none
};
/// The first one; nothing if all files of the schedule are the same.
std::optional<OtherBuild> find_other_build(const Schedule& schedule);

/// An error if a module of the schedule has changed: its clocks would mean other positions.
Result<void> check_same_build(const Schedule& schedule);

/// Whether two schedules were recorded with the same builds of their modules.
bool same_builds(const Schedule& one, const Schedule& other);

/// Changes a schedule so that another build can follow it leniently. Returns the number of switches
/// that were moved.
std::uint64_t fit_to_other_build(Schedule& schedule);

/// Does that if the schedule is followed leniently and the build has changed, and warns about moved
/// switches.
void fit_to_build(Schedule& schedule, const Program& program, wire::Following following,
                  Observer& observer);

}  // namespace unravel
