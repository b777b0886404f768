#include "simplify/attempts.hpp"

#include "simplify/rejoin.hpp"

namespace unravel {

namespace {

// Callers look at no more passing runs than this.
constexpr std::size_t kMostPassed = 8;

/// A hash of the fields that a lenient run follows.
std::uint64_t hash_of(const Slices& slices) {
  std::uint64_t hash = slices.size();
  const auto mix = [&hash](std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  };
  for (const wire::Slice& slice : slices) {
    mix(slice.thread.ordinal);
    mix(slice.until.operations);
    mix(slice.until.hooks);
  }
  return hash;
}

}  // namespace

Attempts::Attempts(Laboratory& laboratory, Run failing, GoesOn goes_on)
    : laboratory_(laboratory),
      best_(std::move(failing)),
      slices_(best_.schedule.slices),
      goes_on_(std::move(goes_on)) {
  missed_before_.insert(hash_of(slices()));
}

Proposal Attempts::proposal_of(const Slices& slices) const {
  Proposal proposal{.schedule = best_.schedule, .following = wire::Following::kLenient};
  proposal.schedule.slices = slices;
  proposal.schedule.clock_switches.clear();
  proposal.schedule.complete = false;
  proposal.schedule.then = {.kind = wire::RuleKind::kStay, .seed = best_.schedule.then.seed};
  return proposal;
}

std::optional<Observed> Attempts::observe_best() {
  return observe({.schedule = best_.schedule, .following = wire::Following::kStrict});
}

const Observed* Attempts::observe_plain() {
  if (!plain_) plain_ = observe(Slices());
  return plain_ ? &*plain_ : nullptr;
}

std::optional<Observed> Attempts::observe(const Slices& slices) {
  return observe(proposal_of(slices));
}

std::optional<Observed> Attempts::observe(const Proposal& proposal) {
  over_ = over_ || !goes_on_(needed_, cost());
  if (over_) return std::nullopt;
  Result<Observed> observed = laboratory_.observe(proposal);
  if (!observed) {
    trouble_ = observed.error();
    over_ = true;
    return std::nullopt;
  }
  ++runs_;
  ++needed_;
  return std::move(*observed);
}

bool Attempts::is_better(const Edit& edit, const Attempt& attempt) const {
  if (attempt.shown != Shown::kFails) return false;
  const Cost now = cost_of(attempt.run.summary);
  return edit.also_if_equal ? now <= cost() : now < cost();
}

void Attempts::take(const Edit& edit, Run run) {
  const Cost before = cost();
  best_ = std::move(run);
  const Slices& made = best_.schedule.slices;
  const std::size_t count = made.size() <= kFewSlices ? made.size() : named(edit.slices);
  slices_.assign(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(count));
  removed_[static_cast<std::size_t>(edit.kind)] += before.switches - cost().switches;
  missed_before_.insert(hash_of(slices()));
  if (cost() < before) passed_.clear();
}

/// How many slices of the best run lie before the end of the last slice that was asked for.
std::size_t Attempts::named(const Slices& asked) const {
  const Slices& made = best_.schedule.slices;
  if (asked.empty()) return 0;
  const wire::Slice& last = asked.back();
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (made[i].thread == last.thread && made[i].until >= last.until) return i + 1;
  }
  return made.size();
}

void Attempts::leave(const Edit& edit, Attempt attempt) {
  missed_before_.insert(hash_of(edit.slices));
  if (attempt.shown == Shown::kPasses) {
    if (passed_.size() == kMostPassed) passed_.erase(passed_.begin());
    passed_.push_back(attempt.run);
  }
  missed_ = std::move(attempt.run);
}

/// For an edit that has just failed to improve the run.
bool Attempts::rejoin_is_better(const Edit& edit) {
  if (!edit.rejoins) return false;
  const auto astray = first_astray(edit.slices, missed_.schedule.slices);
  const auto observed = astray ? observe(edit.slices) : std::nullopt;
  auto slices = observed ? rejoin(edit.slices, *astray, observed->acts) : std::nullopt;
  if (!slices) return false;
  return first_better({{.kind = edit.kind,
                        .slices = std::move(*slices),
                        .also_if_equal = edit.also_if_equal}})
      .has_value();
}

std::optional<std::size_t> Attempts::first_better(const std::vector<Edit>& edits) {
  for (std::size_t next = 0; next < edits.size() && !over_;) {
    std::vector<std::size_t> chosen;
    std::unordered_set<std::uint64_t> among;
    for (; next < edits.size() && chosen.size() < laboratory_.workers(); ++next) {
      const std::uint64_t hash = hash_of(edits[next].slices);
      if (!missed_before_.contains(hash) && among.insert(hash).second) chosen.push_back(next);
    }
    if (chosen.empty()) break;
    over_ = !goes_on_(needed_, cost());
    if (over_) break;
    std::vector<Proposal> proposals;
    for (const std::size_t index : chosen) proposals.push_back(proposal_of(edits[index].slices));
    Result<std::vector<Attempt>> attempts = laboratory_.perform(proposals);
    if (!attempts) {
      trouble_ = attempts.error();
      over_ = true;
      break;
    }
    runs_ += attempts->size();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      Attempt& attempt = (*attempts)[i];
      ++needed_;
      if (is_better(edits[chosen[i]], attempt)) {
        take(edits[chosen[i]], std::move(attempt.run));
        return chosen[i];
      }
      leave(edits[chosen[i]], std::move(attempt));
      if (rejoin_is_better(edits[chosen[i]])) return chosen[i];
    }
  }
  return std::nullopt;
}

}  // namespace unravel
