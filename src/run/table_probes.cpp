// The part of a table that finds other accesses to the variables at which threads were preempted.

#include <algorithm>
#include <cstring>

#include "run/table.hpp"

namespace unravel {

// From the end, where the cause of a failure is, as far as the budget allows.
std::vector<wire::StopAt> Table::probes() const {
  std::vector<std::pair<std::size_t, wire::StopAt>> probes;  // each with its slice
  if (left_at_.empty()) return {};
  // Appends the hooks between two operations.
  const auto append = [&](std::size_t slice, std::uint64_t operations, std::uint64_t after,
                          std::uint64_t before) {
    for (std::uint64_t hooks = before; hooks > after + 1 && probes.size() < kMostProbes;) {
      --hooks;
      probes.push_back(
          {slice,
           {.thread = slices_[slice].thread, .clock = {.operations = operations, .hooks = hooks}}});
    }
  };
  for (std::size_t i = slices_.size(); i-- > 0 && probes.size() < kMostProbes;) {
    const wire::Slice& slice = slices_[i];
    wire::Clock from;
    for (std::size_t j = i; j-- > 0;) {
      if (slices_[j].thread != slice.thread) continue;
      from = slices_[j].until;
      break;
    }
    // Hooks after the last operation of the last slice are not known.
    for (std::uint64_t n = slice.until.operations + 1; n-- > from.operations;) {
      const std::uint64_t after = n == from.operations ? from.hooks : 0;
      std::uint64_t before = slice.until.hooks;
      if (n < slice.until.operations) {
        const auto known = hooks_after_.find({slice.thread.ordinal, n});
        if (known == hooks_after_.end()) break;  // before the clip
        before = known->second;
      }
      append(i, n, after, before);
    }
  }
  for (std::size_t i = 0; i < stops_.size(); ++i) probes.push_back({stop_slices_[i], stops_[i]});
  // The stop before an operation comes after all hooks before it.
  std::sort(probes.begin(), probes.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.clock < b.second.clock;
  });
  std::vector<wire::StopAt> stops;
  for (const auto& probe : probes) stops.push_back(probe.second);
  return stops;
}

bool Table::wants(const wire::ThreadRecord& thread) const {
  if (!wire::is_access(thread.pending) || !left_at_.contains(thread.object)) return false;
  // Where the thread was preempted, or failed, there are rows already.
  const auto is_here = [&](const Row& row) {
    return row.step.event.thread == thread.thread && row.step.event.clock == thread.clock;
  };
  return !row_at_.contains({thread.thread.ordinal, thread.clock}) &&
         std::none_of(probed_.begin(), probed_.end(), is_here);
}

std::size_t Table::slice_of(const wire::ThreadRecord& thread) const {
  const auto within = std::find_if(slices_.begin(), slices_.end(), [&](const wire::Slice& slice) {
    return slice.thread == thread.thread && thread.clock <= slice.until;
  });
  return static_cast<std::size_t>(within - slices_.begin());
}

void Table::add_probed(const StoppedThreadView& held) {
  const wire::ThreadRecord& thread = held.record;
  if (held.variable) names_.record(thread.pending, thread.object, held.variable->name);
  std::optional<ValueShape>& shape = left_at_.at(thread.object);
  if (!shape && held.variable) shape = held.variable->shape;
  put_probed(held);
}

void Table::put_probed(const StoppedThreadView& held) {
  const wire::ThreadRecord& thread = held.record;
  probed_.push_back({.step = {.event = {.thread = thread.thread,
                                        .clock = thread.clock,
                                        .object = thread.object,
                                        .operation = thread.pending},
                              .stack = held.stack,
                              .object = {},
                              .value = {}},
                     .slice = slice_of(thread),
                     .probed = true});
}

void Table::add_values(const wire::ThreadRecord& thread, const Memory& memory) {
  Sighting sighting{.slice = slice_of(thread),
                    .clock = thread.clock,
                    .at_access = wire::is_hook(thread.pending),
                    .values = {}};
  for (const auto& [address, shape] : left_at_) {
    if (!shape) continue;
    const std::vector<std::byte> bytes = memory.read(address, shape->size);
    if (bytes.size() == shape->size) sighting.values[address] = text_of(*shape, bytes, memory);
  }
  sightings_.push_back(std::move(sighting));
}

/// `&objects[1]` is more helpful than an address.
std::string Table::text_of(const ValueShape& shape, const std::vector<std::byte>& bytes,
                           const Memory& memory) {
  std::uint64_t word = 0;
  if (shape.kind == ValueShape::Kind::kPointer && bytes.size() == sizeof word) {
    std::memcpy(&word, bytes.data(), sizeof word);
  }
  if (word == 0) return value_text(shape, bytes);
  const auto [target, is_new] = targets_.try_emplace(word);
  if (is_new) target->second = memory.global_at(word);
  return target->second.empty() ? value_text(shape, bytes) : "&" + target->second;
}

/// A load read the value that was seen last before it; a store wrote the value that was seen next.
/// Between two sightings there is at most one access: the one at which the first sighting was made.
std::string Table::value_of(const Row& row) const {
  const wire::Event& event = row.step.event;
  const wire::Effect effect = wire::traits(event.operation).effect;
  const bool reads = effect == wire::Effect::kRead;
  const bool writes = effect == wire::Effect::kWrite || effect == wire::Effect::kUpdate;
  if ((!reads && !writes) || event.result != wire::EventResult::kDone) return {};
  const auto next = std::find_if(sightings_.begin(), sightings_.end(), [&](const Sighting& seen) {
    return seen.slice > row.slice || (seen.slice == row.slice && seen.clock > event.clock);
  });
  const auto value = [&](const Sighting& seen) {
    const auto found = seen.values.find(event.object);
    return found != seen.values.end() ? found->second : std::string();
  };
  if (writes) {
    return next != sightings_.end() && next->slice == row.slice ? value(*next) : std::string();
  }
  if (next == sightings_.begin()) return {};
  const Sighting& last = *(next - 1);
  if (last.slice == row.slice) return last.clock == event.clock ? value(last) : std::string();
  // It was preempted before the access, and continued when another thread was switched away.
  bool nothing_since = !last.at_access || last.clock == slices_[last.slice].until;
  for (std::size_t slice = last.slice + 1; slice < row.slice; ++slice) {
    // A thread that was not sighted on its way made no access there, except the first.
    nothing_since =
        nothing_since && !begins_with_access(slice) && !wire::is_hook(slices_[slice].pending);
  }
  return nothing_since ? value(last) : std::string();
}

/// Whether the thread was preempted before an access, and makes it now.
bool Table::begins_with_access(std::size_t slice) const {
  for (std::size_t before = slice; before-- > 0;) {
    if (slices_[before].thread == slices_[slice].thread) {
      return wire::is_access(slices_[before].pending);
    }
  }
  return false;
}

void Table::keep_what_met(std::vector<Row>& rows) {
  // For each variable, its accesses in the order of the run.
  std::map<std::uint64_t, std::vector<Row*>> accesses;
  for (Row& row : rows) {
    const wire::Event& event = row.step.event;
    const bool made = wire::is_access(event.operation) && event.result == wire::EventResult::kDone;
    if (made) accesses[event.object].push_back(&row);
  }
  for (const auto& of_one : accesses) {
    const std::vector<Row*>& made = of_one.second;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto other = [&](std::size_t j) {
        return j < made.size() && made[j]->step.event.thread != made[i]->step.event.thread;
      };
      if (other(i - 1) || other(i + 1)) made[i]->probed = false;
    }
  }
  std::erase_if(rows, [](const Row& row) { return row.probed; });
}

}  // namespace unravel
