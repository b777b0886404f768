// The part of a table that looks for who else used the variables at which threads were left.

#include <algorithm>

#include "run/table.hpp"

namespace unravel {

// From the end, where what decides a failure is, as far as the budget goes.
std::vector<wire::Hold> Table::probes() const {
  std::vector<wire::Hold> probes;
  if (left_at_.empty()) return probes;
  // Appends the hooks of one stretch between two operations, last first.
  const auto append = [&](wire::ThreadId thread, std::uint64_t operations, std::uint64_t after,
                          std::uint64_t before) {
    for (std::uint64_t hooks = before; hooks > after + 1 && probes.size() < kMostProbes;) {
      --hooks;
      probes.push_back({.thread = thread, .clock = {.operations = operations, .hooks = hooks}});
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
    // What lies behind the last operation of the last slice is not known.
    for (std::uint64_t n = slice.until.operations + 1; n-- > from.operations;) {
      const std::uint64_t after = n == from.operations ? from.hooks : 0;
      std::uint64_t before = slice.until.hooks;
      if (n < slice.until.operations) {
        const auto known = hooks_after_.find({slice.thread.ordinal, n});
        if (known == hooks_after_.end()) break;  // before the clip
        before = known->second;
      }
      append(slice.thread, n, after, before);
    }
  }
  std::reverse(probes.begin(), probes.end());
  return probes;
}

bool Table::wants(const wire::ThreadRecord& thread) const {
  return wire::is_access(thread.pending) && left_at_.contains(thread.object);
}

void Table::add_probed(const HeldThread& held) {
  const wire::ThreadRecord& thread = held.record;
  const auto within = std::find_if(slices_.begin(), slices_.end(), [&](const wire::Slice& slice) {
    return slice.thread == thread.thread && thread.clock <= slice.until;
  });
  probed_.push_back({.step = {.event = {.thread = thread.thread,
                                        .clock = thread.clock,
                                        .object = thread.object,
                                        .operation = thread.pending},
                              .stack = held.stack,
                              .object = left_at_.at(thread.object)},
                     .slice = static_cast<std::size_t>(within - slices_.begin()),
                     .probed = true});
}

void Table::keep_what_met(std::vector<Row>& rows) {
  // Of each variable, the accesses in the order in which they were made.
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
