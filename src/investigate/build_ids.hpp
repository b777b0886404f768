/// Is the program still the one that a schedule was recorded from?
#pragma once

#include "base/result.hpp"
#include "data/program.hpp"
#include "data/schedule.hpp"
#include "investigate/observer.hpp"
#include "symbolize/build_id.hpp"

namespace unravel {

/// An error if another program was given than the one that the schedule was recorded with.
Result<void> check_same_program(const Schedule& schedule, const Program& program);

/// An error if a file that the schedule names has changed: its clocks would mean other places.
Result<void> check_same_build(const Schedule& schedule);

/// Whether the files that two schedules name were the same ones when they were recorded.
bool same_builds(const Schedule& one, const Schedule& other);

/// What another build than the one that it was recorded with can still follow leniently. Gives how
/// many switches were moved.
std::uint64_t fit_to_other_build(Schedule& schedule);

/// Fits a schedule that is followed leniently to another build than the one that it was recorded
/// with, and warns of what that changed.
void fit_to_build(Schedule& schedule, const Program& program, wire::Following following,
                  Observer& observer);

}  // namespace unravel
