/// Schedules: which thread makes which steps, as values, bytes and short strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// A file that contains sites of the schedule.
struct ModuleId {
  std::string path;
  std::string build_id;  // hexadecimal; empty if it has none

  friend bool operator==(const ModuleId&, const ModuleId&) = default;
};

struct Schedule {
  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::vector<wire::Constraint> constraints;
  std::vector<wire::ClockSwitch> clock_switches;
  wire::Rule then;        // decides the steps without a slice
  bool complete = false;  // it is a whole run: nothing may happen after the last slice

  // Conditions of the recording:
  wire::PointSet points = wire::PointSet::kSync;
  std::vector<wire::Site> marks;  // its points, if the set is `auto`
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  std::vector<ModuleId> modules;  // [0] is "not known"; [1] usually the program itself
  std::uint32_t cpu_count = 1;
  std::uint64_t start_realtime = 0;
  std::uint64_t start_monotonic = 0;
  wire::TimeModel time_model = wire::TimeModel::kSecond;
  wire::Start start;
  bool addresses_fixed = false;  // address-space randomisation was off
  bool sandboxed = false;        // namespaces were permitted

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Magic, version, size, fields, checksum. Stored as a file and, in base64, as a string.
std::vector<std::byte> encode(const Schedule& schedule);

/// Refuses bytes that are corrupt or truncated, of another kind or a newer version, or that have an
/// unknown operation, end or choice, or counts and times that no run can have.
Result<Schedule> decode_schedule(std::span<const std::byte> bytes);

/// `u1.…`: fits on a line of a bug report for schedules of up to a few hundred slices.
std::string to_string(const Schedule& schedule);
Result<Schedule> schedule_from_string(std::string_view text);

/// The longest string that commands print; longer schedules are stored in a file.
inline constexpr std::size_t kLongestScheduleString = 4000;

/// How a schedule is followed by default: strictly if it is a whole run.
wire::Following following_for(const Schedule& schedule);

}  // namespace unravel
