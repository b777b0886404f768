#include "report/table_rows.hpp"

#include <string.h>

#include <algorithm>
#include <span>

#include "data/print.hpp"
#include "report/cycle.hpp"
#include "report/local_names.hpp"
#include "report/places.hpp"
#include "report/text.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// More consecutive switches than this, without an operation in between, are folded. Chosen by hand.
constexpr std::size_t kMostSwitchesInARow = 3;

/// `lock mutex 1`; but `barrier wait 1`, because the operation already names the kind of object.
std::string with_object(const std::string& text, const std::string& object) {
  if (object.empty()) return text;
  const std::size_t space = object.rfind(' ') + 1;
  const bool is_numbered =
      space > 0 && object.find_first_not_of("0123456789", space) == object.npos;
  const bool said = is_numbered && text.starts_with(object.substr(0, space - 1));
  return text + " " + short_variable(said ? object.substr(space) : object);
}

/// Where a thread is right before this operation.
std::string before_text(wire::Operation operation, const std::string& object) {
  const wire::OperationTraits& traits = wire::traits(operation);
  if (traits.before) return with_object(traits.before, object);
  return "before " + with_object(traits.name, object);
}

std::string operation_text(const Step& step) {
  const wire::Event& event = step.event;
  if (event.result == wire::EventResult::kNotYet) return before_text(event.operation, step.object);
  const std::string text = with_object(wire::traits(event.operation).name, step.object);
  if (event.result == wire::EventResult::kTimedOut) return text + ": timed out";
  if (event.result == wire::EventResult::kFailed) {
    const char* error = ::strerrorname_np(static_cast<int>(event.value));
    return text + ": " + (error ? error : "failed");
  }
  if (wire::signals_condition(event.operation) && event.value == 0) return text + ": nobody waits";
  return step.value.empty() ? text : text + " = " + clean(step.value);
}

/// Finds the slice of each operation. Call it in the order of the operations.
class SliceFinder {
 public:
  explicit SliceFinder(const std::vector<wire::Slice>& slices) : slices_(slices) {}

  /// The index of the slice. If the run ended in a slice that was not recorded: of the last slice.
  std::size_t slice_of(const wire::Event& event) {
    for (std::size_t i = at_; i < slices_.size(); ++i) {
      if (slices_[i].thread == event.thread && holds(slices_[i], event)) return at_ = i;
    }
    return at_ = slices_.empty() ? 0 : slices_.size() - 1;
  }

 private:
  static bool holds(const wire::Slice& slice, const wire::Event& event) {
    // A memory access before which the thread was preempted happens in its next slice.
    const bool left_before = wire::is_hook(slice.pending) && slice.until == event.clock &&
                             event.result == wire::EventResult::kDone;
    return event.clock <= slice.until && !left_before;
  }

  const std::vector<wire::Slice>& slices_;
  std::size_t at_ = 0;
};

/// The steps of a run, and those after a switch.
struct Steps {
  std::span<const Step> all;
  std::span<const Step> later;
};

/// The object of the operation that is pending at the end of a slice: from the row of the pending
/// access, or from the operation that the thread performed later.
std::string pending_object(const wire::Slice& slice, const Steps& steps) {
  const auto of_thread = [&](const Step& step) { return step.event.thread == slice.thread; };
  if (wire::is_hook(slice.pending)) {
    const auto left = std::find_if(steps.all.begin(), steps.all.end(), [&](const Step& step) {
      return of_thread(step) && step.event.clock == slice.until;
    });
    return left != steps.all.end() ? left->object : std::string();
  }
  const auto next = std::find_if(steps.later.begin(), steps.later.end(), [&](const Step& step) {
    return of_thread(step) && step.event.operation != wire::Operation::kNone;
  });
  const bool did_so = next != steps.later.end() && next->event.operation == slice.pending;
  return did_so ? next->object : std::string();
}

std::string reason(const wire::Slice& slice, const Steps& steps) {
  const bool has_pending = slice.pending != wire::Operation::kNone;
  const std::string object = pending_object(slice, steps);
  switch (slice.end) {
    case wire::End::kPreempted:
      if (slice.pending == wire::Operation::kExit) return "about to end";
      return has_pending ? "preempted " + before_text(slice.pending, object) : "preempted";
    case wire::End::kBlocked:
      return has_pending ? "blocked in " + with_object(wire::traits(slice.pending).name, object)
                         : "blocked";
    case wire::End::kEnded:
    case wire::End::kYielded:
    case wire::End::kSpin:
    case wire::End::kFairness: return std::string(name(slice.end));
  }
  __builtin_unreachable();
}

TableRow switch_row(const wire::Slice& from, const wire::Slice& to, const Steps& steps) {
  TableRow row;
  row.kind = TableRow::Kind::kSwitch;
  row.preemption = !wire::forced(from.end, from.pending);
  row.text = reason(from, steps) + ": " + print(from.thread) + " → " + print(to.thread);
  return row;
}

/// Appends the switches from slice `from` to slice `to`.
void append_switches(std::vector<TableRow>& rows, const std::vector<wire::Slice>& slices,
                     std::size_t from, std::size_t to, const Steps& steps) {
  if (to - from <= kMostSwitchesInARow) {
    for (std::size_t i = from; i < to; ++i)
      rows.push_back(switch_row(slices[i], slices[i + 1], steps));
    return;
  }
  rows.push_back(switch_row(slices[from], slices[from + 1], steps));
  TableRow between;
  between.kind = TableRow::Kind::kSwitch;
  between.text = plural(to - from - 2, "switch") + " without an operation in between";
  rows.push_back(between);
  rows.push_back(switch_row(slices[to - 1], slices[to], steps));
}

std::string failure_in_column(const Failure& failure) {
  const std::string text = wire::traits(failure.kind).in_column;
  return text.empty() ? clean(failure.detail) : text;
}

/// The object on which a thread waits to be woken; empty if its last step was not a wait.
std::string waited_for(std::uint32_t thread, std::span<const Step> steps) {
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& step) {
    return step.event.thread.ordinal == thread;
  });
  const bool waits = last != steps.rend() && wire::waits_for_wake(last->event.operation);
  return waits ? last->object : std::string();
}

/// What a blocked thread waits for. If there is a cycle, empty for all other threads.
std::string waiting_text(const ThreadAtFailure& thread, const std::vector<Waiting>& cycle,
                         std::span<const Step> steps) {
  if (cycle.empty()) {
    const std::string object =
        thread.state.starts_with("waiting") ? waited_for(thread.thread, steps) : std::string();
    return object.empty() ? clean(thread.state) : "waits for " + short_variable(object);
  }
  for (const Waiting& waiting : cycle) {
    if (waiting.thread == print(wire::ThreadId{.ordinal = thread.thread})) return waiting.wait;
  }
  return {};
}

void append_waiting(std::vector<TableRow>& rows, const Failure& failure,
                    std::span<const Step> steps) {
  const std::vector<Waiting> cycle = cycle_of(failure);
  for (const ThreadAtFailure& thread : failure.threads) {
    TableRow row;
    row.kind = TableRow::Kind::kFailure;
    row.thread = thread.thread;
    row.at = print(wire::ThreadId{.ordinal = thread.thread});
    row.text = waiting_text(thread, cycle, steps);
    if (const Frame* frame = own_frame(thread.stack)) row.frame = *frame;
    if (!row.text.empty()) rows.push_back(row);
  }
}

void append_failure(std::vector<TableRow>& rows, const Failure& failure,
                    std::span<const Step> steps) {
  if (wire::traits(failure.kind).is_standstill && !failure.threads.empty()) {
    append_waiting(rows, failure, steps);
    return;
  }
  // An oracle judges a program that exited normally: no row failed.
  if (failure.kind == FailureKind::kOracle) return;
  TableRow row;
  row.kind = TableRow::Kind::kFailure;
  row.thread = failure.thread;
  row.at = print(wire::ThreadId{.ordinal = failure.thread});
  row.text = failure_in_column(failure);
  row.frame = failure.site;
  rows.push_back(row);
}

/// Memory accesses are rows, but do not count as operations.
std::uint64_t operations_of(std::span<const Step> steps) {
  return static_cast<std::uint64_t>(std::count_if(steps.begin(), steps.end(), [](const Step& step) {
    return !wire::is_hook(step.event.operation);
  }));
}

/// Consecutive steps that share one row.
struct Group {
  std::size_t first = 0;
  std::size_t count = 1;
  std::size_t slice = 0;
  TableRow row;
};

/// Whether the second row shows nothing new.
bool repeats(const TableRow& row, const TableRow& next) {
  return row.thread == next.thread && row.text == next.text && row.frame == next.frame;
}

/// Folds repeated steps, such as those of a spinning thread.
std::vector<Group> folded(const Run& run) {
  std::vector<Group> groups;
  SliceFinder finder(run.schedule.slices);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    Group next{.first = i,
               .slice = finder.slice_of(run.steps[i].event),
               .row = operation_row(run.steps[i])};
    if (!groups.empty() && groups.back().slice == next.slice &&
        repeats(groups.back().row, next.row)) {
      ++groups.back().count;
    } else {
      groups.push_back(std::move(next));
    }
  }
  for (Group& group : groups) {
    if (group.count > 1) group.row.text += " ×" + std::to_string(group.count);
  }
  return groups;
}

}  // namespace

TableRow operation_row(const Step& step) {
  TableRow row;
  row.thread = step.event.thread.ordinal;
  row.at = print(step.event.thread, step.event.clock);
  row.text = operation_text(step);
  row.starts = wire::has_effect(step.event.operation, wire::Effect::kStart);
  row.ends = wire::has_effect(step.event.operation, wire::Effect::kEnd);
  if (const Frame* frame = own_frame(step.stack)) {
    row.frame = *frame;
  } else if (!step.stack.empty() && !row.starts && !row.ends) {
    row.frame = step.stack.front();  // a call by a system library
  }
  return row;
}

TableRows table_rows(const Run& run, std::size_t most) {
  TableRows table;
  const std::vector<wire::Slice>& slices = run.schedule.slices;
  const std::span<const Step> steps = run.steps;
  const std::vector<Group> groups = folded(run);
  const std::size_t skipped = groups.size() - std::min(most, groups.size());
  const std::size_t first = skipped < groups.size() ? groups[skipped].first : steps.size();
  const std::uint64_t operations =
      std::max<std::uint64_t>(run.summary.operations, operations_of(steps));
  table.left_out = operations - operations_of(steps.subspan(first));

  std::optional<std::size_t> before;
  for (std::size_t i = skipped; i < groups.size(); ++i) {
    const Group& group = groups[i];
    const Steps around{steps, steps.subspan(group.first)};
    if (before) append_switches(table.rows, slices, *before, group.slice, around);
    table.rows.push_back(group.row);
    before = group.slice;
  }
  if (before && !slices.empty()) {
    append_switches(table.rows, slices, *before, slices.size() - 1, {steps, {}});
  }
  if (run.failure) append_failure(table.rows, *run.failure, steps);
  LocalNames names(steps);
  for (TableRow& row : table.rows) row.text = names.shortened(std::move(row.text));
  return table;
}

}  // namespace unravel
