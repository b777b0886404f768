#include "report/step_diff.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "data/alignment.hpp"
#include "data/print.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

using Steps = std::span<const Step>;
using Mark = DiffRow::Mark;

bool was_left_before(const Step& step) { return step.event.result == wire::EventResult::kNotYet; }

/// The source line, because another build may have it, too; without debug information the code
/// address.
std::string place_of(const Step& step) {
  const Frame* own = own_frame(step.stack);
  if (!own && step.stack.empty()) return {};
  const Frame& frame = own ? *own : step.stack.front();
  if (frame.line == 0) return frame.module + "+" + std::to_string(frame.offset);
  return frame.file + ":" + std::to_string(frame.line) + " " + frame.function;
}

/// A name that is equal for the same step of two runs.
std::string name_of(const Step& step) {
  const wire::Event& event = step.event;
  return print(event.thread, event.clock) + (was_left_before(step) ? " before " : " ") +
         wire::traits(event.operation).name + " " + place_of(step);
}

std::vector<std::string> names_of(Steps steps) {
  std::vector<std::string> names;
  names.reserve(steps.size());
  for (const Step& step : steps) names.push_back(name_of(step));
  return names;
}

std::uint64_t operations_of(Steps steps) {
  return static_cast<std::uint64_t>(std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    return !wire::is_hook(step.event.operation);
  }));
}

/// The number of operations of a run that are not among its steps.
std::uint64_t left_out_of(const Run& run) {
  const std::uint64_t told = operations_of(run.steps);
  return std::max(run.summary.operations, told) - told;
}

/// The key of a step's thread.
std::string key_of(const Step& step) { return print(step.event.thread); }

/// The number of steps at the front of `steps` that the other run may have made before its first
/// stored step. They cannot be compared.
std::size_t not_comparable(Steps steps, const Run& other) {
  if (left_out_of(other) == 0) return 0;
  std::map<std::string, wire::Clock> begins;
  for (const Step& step : other.steps) begins.emplace(key_of(step), step.event.clock);
  const auto first = std::find_if(steps.begin(), steps.end(), [&](const Step& step) {
    const auto begin = begins.find(key_of(step));
    return begin != begins.end() && begin->second <= step.event.clock;
  });
  // If nothing can be compared, all steps are shown.
  return first == steps.end() ? 0 : static_cast<std::size_t>(first - steps.begin());
}

bool same_event(const wire::Event& left, const wire::Event& right) {
  return left.thread == right.thread && left.clock == right.clock &&
         left.operation == right.operation && left.result == right.result;
}

/// The index of the event of the first of these steps; nothing if it is not among the events.
std::optional<std::size_t> first_event(Steps steps, const std::vector<wire::Event>& events) {
  const auto first = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
    return !wire::is_hook(step.event.operation);
  });
  if (first == steps.end()) return std::nullopt;
  const auto event = std::find_if(events.begin(), events.end(), [&](const wire::Event& one) {
    return same_event(one, first->event);
  });
  if (event == events.end()) return std::nullopt;
  return static_cast<std::size_t>(event - events.begin());
}

/// Compares the events before the steps.
void compare_earlier(StepDiff& diff, const Run& left, Steps left_steps, const Run& right,
                     Steps right_steps) {
  if (diff.left_earlier == 0 && diff.right_earlier == 0) return;
  const std::optional<std::size_t> left_end = first_event(left_steps, left.events);
  const std::optional<std::size_t> right_end = first_event(right_steps, right.events);
  diff.compared_earlier = left_end && right_end;
  if (!diff.compared_earlier) return;
  const auto event_at = [](const std::vector<wire::Event>& events, std::size_t at) {
    return at < events.size() ? std::optional(events[at]) : std::nullopt;
  };
  for (std::size_t i = 0; i < std::max(*left_end, *right_end); ++i) {
    const auto one = event_at(left.events, i);
    const auto other = event_at(right.events, i);
    if (one && other && same_event(*one, *other)) continue;
    diff.earlier_difference = EarlierDifference{i, one, other};
    return;
  }
}

/// Objects without a name are numbered by their first use in a run, so addresses are compared, too.
bool same_object(const Step& left, const Step& right) {
  return left.object == right.object || left.event.object == right.event.object;
}

bool woke_nobody(const wire::Event& event) {
  return event.value == 0 && wire::signals_condition(event.operation);
}

bool same_answer(const Step& left, const Step& right) {
  const bool failed = left.event.result == wire::EventResult::kFailed;
  return left.value == right.value && left.event.result == right.event.result &&
         (!failed || left.event.value == right.event.value) &&
         woke_nobody(left.event) == woke_nobody(right.event);
}

/// The last clock of each thread.
std::map<std::string, wire::Clock> last_clocks(Steps steps) {
  std::map<std::string, wire::Clock> last;
  for (const Step& step : steps) last[key_of(step)] = step.event.clock;
  return last;
}

/// Whether the other run, whose last clocks are given, got past this memory access. Then it made
/// the access, too, or took another path, which its operations show.
bool made_it_too(const Step& step, const std::map<std::string, wire::Clock>& last) {
  if (!wire::is_hook(step.event.operation) || was_left_before(step)) return false;
  const auto seen = last.find(key_of(step));
  return seen != last.end() && step.event.clock < seen->second;
}

}  // namespace

StepDiff diff_steps(const Run& left_run, const Run& right_run) {
  const Steps left = Steps(left_run.steps).subspan(not_comparable(left_run.steps, right_run));
  const Steps right = Steps(right_run.steps).subspan(not_comparable(right_run.steps, left_run));
  StepDiff diff;
  diff.left_earlier = left_out_of(left_run) + operations_of(left_run.steps) - operations_of(left);
  diff.right_earlier =
      left_out_of(right_run) + operations_of(right_run.steps) - operations_of(right);
  compare_earlier(diff, left_run, left, right_run, right);

  const auto last_left = last_clocks(left);
  const auto last_right = last_clocks(right);
  for (const AlignedRow& aligned : align(names_of(left), names_of(right))) {
    DiffRow row;
    if (aligned.left) row.left = &left[*aligned.left];
    if (aligned.right) row.right = &right[*aligned.right];
    if (!row.right) {
      row.mark = made_it_too(*row.left, last_right) ? Mark::kToldByOne : Mark::kLeftOnly;
    } else if (!row.left) {
      row.mark = made_it_too(*row.right, last_left) ? Mark::kToldByOne : Mark::kRightOnly;
    } else if (!same_object(*row.left, *row.right) || !same_answer(*row.left, *row.right)) {
      row.mark = Mark::kOtherValue;
    }
    if (row.differs() && !diff.first_difference) diff.first_difference = diff.rows.size();
    diff.rows.push_back(row);
  }
  return diff;
}

}  // namespace unravel
