#include "investigate/pursuits.hpp"

#include <algorithm>

#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// How much a pursuit is put off: by each rung that it has climbed, by a loop that probably orders
// its events on purpose, for another instance of the same finding, for a run in which no thread
// went a new way, and by each run that was made for the same finding: what has not been tried at
// all shows more than the same lines in one more trace. Chosen by hand; of five sets of numbers
// these found most of the bugs of bench/hunt in few runs.
constexpr std::int64_t kRung = 5;
constexpr std::int64_t kSpin = 35;
constexpr std::int64_t kInstance = 3;
constexpr std::int64_t kOldPath = 8;
constexpr std::int64_t kRepeat = 6;
// The other order of a race may do something else, but it is no other race.
constexpr std::int64_t kTurned = 3;

std::int64_t cost_of(AnomalyKind kind) {
  switch (kind) {
    case AnomalyKind::kDeadlock: return 0;
    case AnomalyKind::kPattern: return 1;
    case AnomalyKind::kRace:
    case AnomalyKind::kAtomicity: return 2;
    case AnomalyKind::kSet: return 4;
    case AnomalyKind::kOrder: return 3;
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

std::vector<Candidate> find_candidates(
    const History& history, const std::vector<Pattern>& patterns,
    const std::optional<std::array<bool, kAnomalyKinds>>& kinds) {
  std::vector<Candidate> candidates = find_patterns(history, patterns, {});
  const auto add = [&](AnomalyKind kind, auto find) {
    if (kinds && !(*kinds)[static_cast<std::size_t>(kind)]) return;
    for (Candidate& one : find(history, CandidateLimits{})) candidates.push_back(std::move(one));
  };
  add(AnomalyKind::kDeadlock, find_lock_cycles);
  add(AnomalyKind::kOrder, find_orders);
  return candidates;
}

std::size_t Pursuits::add(std::unique_ptr<AnalysedRun> run) {
  paths_.insert(run->fingerprints.path);
  sources_.insert(run->fingerprints.sources);
  runs_.push_back(std::move(run));
  return runs_.size() - 1;
}

void Pursuits::add(Pursuit pursuit) {
  if (pursuit.finding >= tries_.size()) tries_.resize(pursuit.finding + 1);
  pursuits_.push_back(std::move(pursuit));
  queue(pursuits_.size() - 1);
}

std::int64_t Pursuits::cost(const Pursuit& pursuit) const {
  return kRepeat * tries_[pursuit.finding] + cost_of(pursuit.candidate.kind) +
         kRung * static_cast<std::int64_t>(pursuit.rung) + kInstance * pursuit.instance +
         (pursuit.candidate.contradicts_spin ? kSpin : 0) + (pursuit.is_turned ? kTurned : 0) +
         (runs_[pursuit.run]->is_new_path ? 0 : kOldPath);
}

void Pursuits::queue(std::size_t number) { waiting_.push({cost(pursuits_[number]), number}); }

void Pursuits::take(std::size_t number, bool is_shown, std::string why) {
  Pursuit& pursuit = pursuits_[number];
  if (is_shown && !pursuit.has_other_way()) {
    pursuit.is_settled = true;
    return;
  }
  if (is_shown) {
    std::vector<EventIndex>& events = pursuit.candidate.goal.events;
    if (pursuit.candidate.kind == AnomalyKind::kRace) std::reverse(events.begin(), events.end());
    pursuit.is_turned = true;
  } else {
    pursuit.why = std::move(why);
    ++pursuit.rung;
  }
  queue(number);
}

bool Pursuits::is_new(AnalysedRun& run) const {
  run.is_new_path = !paths_.contains(run.fingerprints.path);
  return run.is_new_path || !sources_.contains(run.fingerprints.sources);
}

std::size_t Pursuits::not_searched() const {
  return static_cast<std::size_t>(std::count_if(
      pursuits_.begin(), pursuits_.end(),
      [&](const Pursuit& one) { return !one.is_settled && one.rung < options_.rungs.size(); }));
}

std::optional<PursuitAttempt> Pursuits::next(std::size_t& searches) {
  while (!waiting_.empty() && searches > 0) {
    const auto [cost_then, number] = waiting_.top();
    waiting_.pop();
    Pursuit& pursuit = pursuits_[number];
    if (pursuit.is_settled) continue;
    if (cost(pursuit) > cost_then) {  // others of its finding were tried meanwhile
      queue(number);
      continue;
    }
    if (pursuit.rung >= options_.rungs.size()) {
      pursuit.is_settled = true;
      continue;
    }
    --searches;
    if (std::optional<PursuitAttempt> found = attempt(number)) {
      pursuit.has_run = true;
      ++tries_[pursuit.finding];
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
                         .cost = cost(pursuit),
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
  // The other event comes by itself. Until then the thread that came first goes on.
  if (pursuit.candidate.kind == AnomalyKind::kOrder && !pursuit.is_turned) slices.pop_back();
  attempt.proposal = proposal_through(base.run.schedule, std::move(slices));
  if (!tried_.insert(hash_of_proposal(attempt.proposal)).second) return std::nullopt;
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
