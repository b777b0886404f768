#include "isolate/difference.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <numeric>
#include <set>

#include "base/assert.hpp"

namespace unravel {

namespace {

std::uint64_t distance(const wire::ClockSwitch& one, const wire::ClockSwitch& other) {
  return std::max(one.count, other.count) - std::min(one.count, other.count);
}

/// Identifies the decision that a choice is about. One operation can have several choices of a
/// kind, such as a wake of two waiters: these are numbered.
struct ChoiceKey {
  std::uint32_t thread = 0;
  std::uint64_t operations = 0;
  std::uint64_t hooks = 0;
  wire::ChoiceKind kind = wire::ChoiceKind::kWaiter;
  std::size_t nth = 0;

  friend auto operator<=>(const ChoiceKey&, const ChoiceKey&) = default;
};

std::vector<ChoiceKey> keys_of(const std::vector<wire::Choice>& choices) {
  std::map<ChoiceKey, std::size_t> seen;
  std::vector<ChoiceKey> keys;
  for (const wire::Choice& choice : choices) {
    ChoiceKey key{choice.thread.ordinal, choice.clock.operations, choice.clock.hooks, choice.kind,
                  0};
    key.nth = seen[key]++;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

bool same_receiver(const wire::ClockSwitch& one, const wire::ClockSwitch& other) {
  return one.has_receiver == other.has_receiver &&
         (!one.has_receiver || one.receiver == other.receiver);
}

ClockForm clock_form_of(const Run& run) {
  ClockForm form{.switches = run.clock_form, .choices = {}, .steps = run.summary.steps};
  for (const wire::Choice& choice : run.schedule.choices) {
    // In clock form the runtime advances time by itself, so recorded advances of another run do not
    // apply.
    const bool is_time =
        choice.kind == wire::ChoiceKind::kTimePassed || choice.kind == wire::ChoiceKind::kTimeJump;
    if (!is_time) form.choices.push_back(choice);
  }
  return form;
}

Schedule in_clock_form(const Schedule& base, const ClockForm& form) {
  Schedule schedule = base;
  schedule.slices.clear();
  schedule.constraints.clear();
  schedule.then = {};
  schedule.complete = false;
  schedule.clock_switches = form.switches;
  schedule.choices = form.choices;
  return schedule;
}

ScheduleDifference::ScheduleDifference(const ClockForm& passing, const ClockForm& failing)
    : end_(std::max(passing.steps, failing.steps) + 1),
      passing_(passing.switches),
      failing_(failing.switches) {
  // The shorter list gets dummy switches after the end, with the receivers of the other list.
  const auto pad = [this](auto& shorter, const auto& longer) {
    for (std::size_t i = shorter.size(); i < longer.size(); ++i) {
      shorter.push_back(longer[i]);
      shorter[i].count = end_;
    }
    for (wire::ClockSwitch& one : shorter) one.count = std::min(one.count, end_);
  };
  pad(passing_, failing_);
  pad(failing_, passing_);
  for (std::size_t i = 0; i < passing_.size(); ++i) {
    sizes_.push_back(distance(passing_[i], failing_[i]) + !same_receiver(passing_[i], failing_[i]));
  }
  pair_choices(passing.choices, failing.choices);
}

/// Merges both lists, each in its own order where the other allows it. Choices with the same key
/// always stay in order: only their order tells them apart.
void ScheduleDifference::pair_choices(const std::vector<wire::Choice>& passing,
                                      const std::vector<wire::Choice>& failing) {
  const std::vector<ChoiceKey> passing_keys = keys_of(passing);
  const std::vector<ChoiceKey> failing_keys = keys_of(failing);
  const std::set<ChoiceKey> in_passing(passing_keys.begin(), passing_keys.end());
  std::map<ChoiceKey, std::size_t> in_failing;
  for (std::size_t i = 0; i < failing.size(); ++i) in_failing[failing_keys[i]] = i;
  std::set<ChoiceKey> added;
  const auto add_failing_until = [&](std::size_t end, std::size_t& next) {
    for (; next < end; ++next) {
      const ChoiceKey& key = failing_keys[next];
      ChoiceKey before = key;
      const bool is_first = before.nth-- == 0;
      if (in_passing.contains(key) || (!is_first && !added.contains(before))) continue;
      if (added.insert(key).second) choices_.push_back({.passing = {}, .failing = failing[next]});
    }
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < passing.size(); ++i) {
    ChoicePair pair{.passing = passing[i], .failing = {}};
    if (const auto partner = in_failing.find(passing_keys[i]); partner != in_failing.end()) {
      add_failing_until(partner->second, next);
      pair.failing = failing[partner->second];
    }
    added.insert(passing_keys[i]);
    choices_.push_back(pair);
  }
  next = 0;
  add_failing_until(failing.size(), next);

  for (std::size_t i = 0; i < choices_.size(); ++i) {
    if (choices_[i].passing == choices_[i].failing) continue;
    choices_[i].group = sizes_.size();
    sizes_.push_back(1);
    choice_of_.push_back(i);
  }
}

std::uint64_t ScheduleDifference::deltas() const {
  return std::accumulate(sizes_.begin(), sizes_.end(), std::uint64_t{0});
}

wire::ClockSwitch ScheduleDifference::switch_at(std::size_t index, std::uint64_t count) const {
  const wire::ClockSwitch& from = passing_[index];
  const wire::ClockSwitch& to = failing_[index];
  if (count > distance(from, to)) return to;  // the last delta also changes the receiver
  wire::ClockSwitch moved = from;
  moved.count = from.count < to.count ? from.count + count : from.count - count;
  return moved;
}

const std::optional<wire::Choice>& ScheduleDifference::choice_at(std::size_t group,
                                                                 std::uint64_t count) const {
  const ChoicePair& pair = choices_[choice_of_[group - switches()]];
  return count == 0 ? pair.passing : pair.failing;
}

std::optional<ClockForm> ScheduleDifference::apply(const DeltaCounts& counts) const {
  UNRAVEL_ASSERT(counts.size() == sizes_.size(), "there is a count for every group");
  ClockForm form;
  form.switches.reserve(switches());
  for (std::size_t i = 0; i < switches(); ++i) {
    form.switches.push_back(switch_at(i, counts[i]));
    if (i > 0 && form.switches[i].count < form.switches[i - 1].count) return std::nullopt;
  }
  for (const ChoicePair& pair : choices_) {
    const auto& choice = pair.group && counts[*pair.group] > 0 ? pair.failing : pair.passing;
    if (choice) form.choices.push_back(*choice);
  }
  return form;
}

}  // namespace unravel
