#include "run/table.hpp"

#include <algorithm>
#include <iterator>

namespace unravel {
namespace {

/// Whether the thread of this slice was preempted before a memory access.
bool ends_at_hook(const wire::Slice& slice) { return wire::is_hook(slice.pending); }

/// The number of the first operation whose point is not after the end of this slice.
std::uint64_t first_after(const wire::Slice& slice) {
  const bool stands_before_next = slice.until.hooks > 0 && !ends_at_hook(slice);
  return slice.until.operations + (stands_before_next ? 2 : 1);
}

}  // namespace

Table::Table(std::span<const wire::Event> events, std::span<const wire::Slice> slices,
             const std::optional<Failure>& failure)
    : slices_(slices.begin(), slices.end()), failure_(failure) {
  std::map<std::uint32_t, const wire::Slice*> left;  // threads that were preempted before an access
  auto next = events.begin();
  const auto put_next = [&](std::size_t slice) {
    put(slice, *next, names_.name(next->operation, next->object));
    ++next;
  };
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const wire::Slice& slice = slices[i];
    const wire::Slice*& before = left[slice.thread.ordinal];
    if (before && wire::is_access(before->pending)) {
      put_access(i, *before, wire::EventResult::kDone);
    }
    while (next != events.end() && next->thread == slice.thread && next->clock <= slice.until) {
      put_next(i);
    }
    before = ends_at_hook(slice) ? &slice : nullptr;
    if (before) put_access(i, slice, wire::EventResult::kNotYet);
  }
  while (next != events.end()) put_next(slices.size());

  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const wire::Event& event = rows_[row].step.event;
    Place place{.thread = event.thread.ordinal, .clock = event.clock};
    if (!wire::is_hook(event.operation)) {
      // A run cannot be stopped at other hooks, and a thread that starts has no stack.
      if (!wire::is_synchronisation(event.operation) || event.operation == wire::Operation::kStart)
        continue;
      place.clock = {.operations = event.clock.operations - 1, .hooks = wire::kBeforeNext};
    }
    row_at_.emplace(place, row);
  }

  std::map<std::uint32_t, const wire::Slice*> reached;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const wire::Slice*& before = reached[slices[i].thread.ordinal];
    stop_before(i, before);
    before = &slices[i];
  }
  stop_before_failure();
}

void Table::put(std::size_t slice, const wire::Event& event, std::string object) {
  rows_.push_back({.step = {.event = event, .stack = {}, .object = std::move(object), .value = {}},
                   .slice = slice});
  if (rows_.size() > kLongestClip) rows_.pop_front();
}

void Table::put_access(std::size_t slice, const wire::Slice& left_at, wire::EventResult result) {
  put(slice,
      {.thread = left_at.thread,
       .clock = left_at.until,
       .site = left_at.site,
       .operation = left_at.pending,
       .result = result},
      {});
}

/// Adds the stops that rows of a slice need; `before` is the previous slice of its thread.
void Table::stop_before(std::size_t number, const wire::Slice* before) {
  const wire::Slice& slice = slices_[number];
  const std::uint32_t thread = slice.thread.ordinal;
  const std::uint64_t first = before ? first_after(*before) : 1;
  const std::uint64_t end = first_after(slice);
  const auto at = [&](std::uint64_t operation) {
    return row_at_.lower_bound({thread, {.operations = operation - 1, .hooks = wire::kBeforeNext}});
  };
  for (auto row = at(first); row != row_at_.end(); ++row) {
    const Place& place = row->first;
    if (place.thread != thread || place.clock.operations + 1 >= end) break;
    if (place.clock.hooks != wire::kBeforeNext) continue;
    stops_.push_back({.thread = slice.thread, .clock = place.clock});
  }
  if (ends_at_hook(slice) && row_at_.contains({thread, slice.until})) {
    stops_.push_back({.thread = slice.thread, .clock = slice.until});
  }
  stop_slices_.resize(stops_.size(), number);
}

void Table::stop_before_failure() {
  if (!failure_ || !failure_->site || slices_.empty()) return;
  const wire::Slice& last = slices_.back();
  if (last.thread.ordinal != failure_->thread) return;
  std::uint64_t first = last.until.hooks - std::min(last.until.hooks, kHooksBeforeFailure);
  for (std::size_t i = slices_.size() - 1; i-- > 0;) {
    if (slices_[i].thread != last.thread) continue;
    if (slices_[i].until.operations == last.until.operations) {
      first = std::max(first, slices_[i].until.hooks);
    }
    break;
  }
  // A thread that was not switched away may have got further than it reported.
  for (std::uint64_t hooks = first + 1; hooks <= last.until.hooks + kHooksBeforeFailure; ++hooks) {
    if (row_at_.contains({last.thread.ordinal, {last.until.operations, hooks}})) continue;
    stops_.push_back(
        {.thread = last.thread, .clock = {.operations = last.until.operations, .hooks = hooks}});
  }
  stop_slices_.resize(stops_.size(), slices_.size() - 1);
}

/// Whether it is an access in the line that failed.
bool Table::is_what_failed(const StoppedThreadView& held) const {
  const wire::ThreadRecord& thread = held.record;
  const Frame* own = own_frame(held.stack);
  return failure_ && failure_->site && wire::is_access(thread.pending) && own &&
         thread.thread.ordinal == failure_->thread && own->file == failure_->site->file &&
         own->line == failure_->site->line && slice_of(thread) + 1 >= slices_.size();
}

void Table::add(const StoppedThreadView& held) {
  const wire::ThreadRecord& thread = held.record;
  const bool is_hook = wire::is_hook(thread.pending);
  Place place{.thread = thread.thread.ordinal, .clock = thread.clock};
  if (!is_hook) {
    hooks_after_[{place.thread, place.clock.operations}] = place.clock.hooks;
    place.clock.hooks = wire::kBeforeNext;
  }
  const auto [first, last] = row_at_.equal_range(place);
  const bool saw = first == last && is_what_failed(held);
  if (is_hook && first == last && !saw) return;
  if (held.variable) names_.record(thread.pending, thread.object, held.variable->name);
  if (wire::is_access(thread.pending)) {
    left_at_.emplace(thread.object, held.variable ? held.variable->shape : std::nullopt);
  }
  if (saw) {
    put_probed(held);
    probed_.back().probed = false;
  }
  for (auto row = first; row != last; ++row) {
    Step& step = rows_[row->second].step;
    step.stack = held.stack;
    if (is_hook) step.event.object = thread.object;
  }
}

void Table::name_objects(std::vector<Row>& rows) {
  for (Row& row : rows) {
    const wire::Event& event = row.step.event;
    if (acts_on_memory(event.operation)) {
      row.step.object = names_.name(event.operation, event.object);
    }
  }
}

std::vector<Step> Table::take_steps() {
  std::vector<Row> all(std::make_move_iterator(rows_.begin()),
                       std::make_move_iterator(rows_.end()));
  all.insert(all.end(), std::make_move_iterator(probed_.begin()),
             std::make_move_iterator(probed_.end()));
  // Probed rows go between the rows of the same slice, by clock.
  std::stable_sort(all.begin(), all.end(), [](const Row& a, const Row& b) {
    return a.slice != b.slice ? a.slice < b.slice : a.step.event.clock < b.step.event.clock;
  });
  keep_what_met(all);
  name_objects(all);
  for (Row& row : all) row.step.value = value_of(row);
  std::vector<Step> steps;
  const std::size_t first = all.size() - std::min(all.size(), kLongestClip);
  for (std::size_t i = first; i < all.size(); ++i) steps.push_back(std::move(all[i].step));
  return steps;
}

}  // namespace unravel
