#include "investigate/pursuits.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// How much a pursuit is put off: by each rung that it has climbed, by a loop that probably orders
// its events on purpose, for another instance of the same finding, and for a run in which no thread
// went a new way. Chosen by hand.
constexpr std::int64_t kRung = 10;
constexpr std::int64_t kSpin = 35;
constexpr std::int64_t kInstance = 6;
constexpr std::int64_t kOldPath = 8;
// The other order of a race may do something else, but it is no other race.
constexpr std::int64_t kTurned = 3;

std::int64_t cost_of(AnomalyKind kind) {
  switch (kind) {
    case AnomalyKind::kDeadlock: return 0;
    case AnomalyKind::kPattern: return 1;
    case AnomalyKind::kRace:
    case AnomalyKind::kAtomicity: return 2;
    case AnomalyKind::kSet: return 4;
    case AnomalyKind::kOrder: return 7;
  }
  __builtin_unreachable();
}

}  // namespace

Proposal proposal_through(const Schedule& base, std::vector<wire::Slice> slices) {
  Proposal proposal;
  proposal.schedule.slices = std::move(slices);
  proposal.schedule.choices = base.choices;
  proposal.schedule.points = base.points;
  proposal.schedule.marks = base.marks;
  proposal.schedule.timeouts = base.timeouts;
  proposal.schedule.then.watches = 1;
  proposal.following = wire::Following::kLenient;
  proposal.strategy = "predicted";
  return proposal;
}

std::size_t Pursuits::add(std::unique_ptr<AnalysedRun> run) {
  runs_.push_back(std::move(run));
  return runs_.size() - 1;
}

void Pursuits::add(Pursuit pursuit) {
  pursuits_.push_back(std::move(pursuit));
  queue(pursuits_.size() - 1);
}

void Pursuits::queue(std::size_t number) {
  const Pursuit& pursuit = pursuits_[number];
  const std::int64_t cost =
      cost_of(pursuit.candidate.kind) + kRung * static_cast<std::int64_t>(pursuit.rung) +
      kInstance * pursuit.instance + (pursuit.candidate.contradicts_spin ? kSpin : 0) +
      (pursuit.is_turned ? kTurned : 0) + (runs_[pursuit.run]->is_new_path ? 0 : kOldPath);
  waiting_.push({cost, number});
}

void Pursuits::turn(std::size_t number) {
  Pursuit& pursuit = pursuits_[number];
  std::reverse(pursuit.candidate.goal.events.begin(), pursuit.candidate.goal.events.end());
  pursuit.is_turned = true;
  queue(number);
}

void Pursuits::go_on(std::size_t number, std::string why) {
  Pursuit& pursuit = pursuits_[number];
  pursuit.why = std::move(why);
  ++pursuit.rung;
  queue(number);
}

std::optional<PursuitAttempt> Pursuits::next() {
  while (!waiting_.empty()) {
    const std::size_t number = waiting_.top().pursuit;
    waiting_.pop();
    Pursuit& pursuit = pursuits_[number];
    if (pursuit.is_settled) continue;
    if (pursuit.rung >= options_.rungs.size()) {
      pursuit.is_settled = true;
      continue;
    }
    if (std::optional<PursuitAttempt> found = attempt(number)) {
      pursuit.has_run = true;
      return found;
    }
    ++pursuit.rung;
    queue(number);
  }
  return std::nullopt;
}

std::vector<ExpectedEvent> Pursuits::expected_of(const History& history, const Goal& goal) {
  std::vector<ExpectedEvent> expected;
  for (const EventIndex index : goal.events) {
    const KeptEvent& event = history.events[index];
    expected.push_back({.thread = event.thread,
                        .site = history.site_of(index),
                        .operation = event.operation,
                        .clock = event.clock()});
  }
  return expected;
}

std::optional<PursuitAttempt> Pursuits::attempt(std::size_t number) {
  const Pursuit& pursuit = pursuits_[number];
  const AnalysedRun& base = *runs_[pursuit.run];
  PursuitAttempt attempt{.pursuit = number,
                         .rung = options_.rungs[pursuit.rung],
                         .goal = pursuit.candidate.goal,
                         .proposal = {},
                         .expected = {},
                         .is_marked = pursuit.candidate.is_marked};
  if (attempt.rung == Rung::kConstraints) return by_constraints(number, std::move(attempt));
  // The paper's algorithm keeps the order of a race.
  const bool keeps_order =
      attempt.rung == Rung::kPaper && attempt.goal.kind == Goal::Kind::kNeighbours;
  if (keeps_order) std::sort(attempt.goal.events.begin(), attempt.goal.events.end());
  const auto order = witness(base.history, attempt.goal, attempt.rung);
  if (!order) return std::nullopt;
  std::vector<wire::Slice> slices = slices_of(base.history, attempt.goal, *order);
  std::uint64_t hash = 1;
  for (const wire::Slice& slice : slices) {
    hash = hash_of(hash, slice.thread.ordinal, slice.until.operations, slice.until.hooks);
  }
  if (!tried_.insert(hash).second) return std::nullopt;
  attempt.proposal = proposal_through(base.run.schedule, std::move(slices));
  attempt.expected = expected_of(base.history, attempt.goal);
  return attempt;
}

std::optional<PursuitAttempt> Pursuits::by_constraints(std::size_t number, PursuitAttempt attempt) {
  const Pursuit& pursuit = pursuits_[number];
  const AnalysedRun& base = *runs_[pursuit.run];
  const bool stands = attempt.goal.kind == Goal::Kind::kStand;
  if (stands || attempt.goal.events.size() > wire::kMostConstraints || !base.sink) {
    return std::nullopt;
  }
  attempt.expected = expected_of(base.history, attempt.goal);
  const std::vector<std::uint64_t> occurrences = base.sink->occurrences_of(attempt.expected);
  for (std::size_t i = 0; i < occurrences.size(); ++i) {
    attempt.expected[i].occurrence = occurrences[i];
  }
  const auto pattern = [&](const ExpectedEvent& event) {
    return wire::EventPattern{.site = event.site,
                              .occurrence = event.occurrence,
                              .operation = event.operation,
                              .whose = wire::Whose::kThread,
                              .thread = event.thread};
  };
  for (std::size_t i = 0; i + 1 < attempt.expected.size(); ++i) {
    if (attempt.expected[i].thread == attempt.expected[i + 1].thread) continue;
    attempt.proposal.schedule.constraints.push_back({.first = pattern(attempt.expected[i]),
                                                     .then = pattern(attempt.expected[i + 1]),
                                                     .give_up = 2 * base.run.summary.steps + 200});
  }
  attempt.proposal.schedule.then = Pos::rule(wire::seed_of(options_.seed, number));
  attempt.proposal.strategy = "predicted";
  return attempt;
}

}  // namespace unravel
