#include "explore/hunt_loop.hpp"

#include <algorithm>
#include <utility>

#include "explore/rule_strategies.hpp"

namespace unravel {

namespace {

// Early rounds are short, so that the strategies learn from them soon. Late rounds are long, so
// that the work between rounds costs little. Chosen by hand.
constexpr std::size_t kFirstRound = 8;
constexpr std::size_t kLongestRound = 512;
// Rounds have fewer runs if the runs are long. Chosen by hand.
constexpr std::uint64_t kMostStepsInRound = 20'000'000;

// A batch keeps a worker busy for about this long. It bounds how late a hunt notices the end of its
// budget. Chosen by hand.
constexpr double kSecondsOfPiece = 0.25;
constexpr std::size_t kLargestPiece = 128;

// One step in so many is of a run that may switch at every memory access. Chosen by hand.
constexpr std::uint64_t kRarelyAllAccesses = 20;

}  // namespace

HuntLoop::HuntLoop(Pool& pool, Strategy& strategy, Learner& learner, Audience& audience,
                   std::uint64_t seed, Budget budget)
    : pool_(pool),
      strategy_(strategy),
      learner_(learner),
      audience_(audience),
      seed_(seed),
      budget_(budget),
      round_size_(kFirstRound) {}

Result<HuntLoop::End> HuntLoop::run() {
  const Result<End> end = run_rounds();
  count_coverage();
  return end;
}

Result<HuntLoop::End> HuntLoop::run_rounds() {
  Result<bool> goes_on = learn_first();
  while (goes_on && *goes_on) {
    if (const auto end = over()) return *end;
    goes_on = run_round();
  }
  if (!goes_on) return fail(goes_on.error());
  return nothing_left_ ? End::kNothingLeft : End::kEnough;
}

std::optional<HuntLoop::End> HuntLoop::over() const {
  if (budget_.runs && ordinal_ >= budget_.runs) return End::kRuns;
  if (budget_.time && Clock::now() - began_ >= *budget_.time) return End::kTime;
  if (has_one_thread()) return End::kOneThread;
  if (budget_.stale && explored_.since_new >= budget_.stale) return End::kStale;
  return std::nullopt;
}

/// If a run with one thread hit its limit, it may have been about to start another thread.
bool HuntLoop::has_one_thread() const {
  return explored_.runs > 0 && most_threads_ < 2 && explored_.reason != Reason::kLimit;
}

// --- Learning --------------------------------------------------------------------------------

/// The first run has as few switches as possible. It shows the orders that later runs reverse.
Result<bool> HuntLoop::learn_first() {
  Proposal first;
  first.schedule.then.kind = wire::RuleKind::kStay;
  first.schedule.then.seed = wire::seed_of(seed_, 0);
  first.strategy = "stay";
  return learn(first);
}

Result<bool> HuntLoop::learn(const Proposal& proposal) {
  Result<std::optional<JournalEntry>> seen = recall();
  if (!seen) return fail(seen.error());
  return learn(proposal, *seen);
}

/// A traced run counts as a run of the hunt, and it may fail. `seen`: it was made before.
Result<bool> HuntLoop::learn(const Proposal& proposal, const std::optional<JournalEntry>& seen) {
  if (seen) {
    if (!seen->is_lesson) return another_unravel();
    lessons_.learnt(known_.add(seen->pairs) > 0);
    strategy_.offer(seen->predicted);
    marks_ = learner_.marks();
    ++ordinal_;
    observe_lesson(proposal, seen->runs.front());
    return true;
  }
  Result<Lesson> lesson = learner_.learn(proposal);
  if (!lesson) return fail(lesson.error());
  lessons_.learnt(known_.add(lesson->pairs) > 0);
  strategy_.offer(lesson->predicted);
  if (lesson->marks) marks_ = lesson->marks;
  maps_.add(lesson->run.maps);
  const std::uint64_t at_run = ++ordinal_;
  const RunSummary summary = lesson->run.summary;
  observe_lesson(proposal, summary);
  const Result<bool> goes_on = judge(std::move(lesson->run), at_run);
  if (!goes_on) return goes_on;
  const Result<void> kept = write_down({.is_lesson = true,
                                        .runs = {summary},
                                        .pairs = std::move(lesson->pairs),
                                        .predicted = std::move(lesson->predicted)});
  if (!kept) return fail(kept.error());
  return goes_on;
}

Result<bool> HuntLoop::learn_more() {
  for (const std::size_t i : lessons_.choose(observed_)) {
    if (over()) break;
    const Result<bool> goes_on = learn(round_[i]);
    if (!goes_on || !*goes_on) return goes_on;
  }
  return true;
}

// --- Rounds ----------------------------------------------------------------------------------

std::size_t HuntLoop::next_round_size() const {
  std::size_t size = round_size_;
  size = std::min<std::size_t>(size, std::max<std::uint64_t>(1, kMostStepsInRound / known_.length));
  if (budget_.runs) size = std::min<std::size_t>(size, budget_.runs - ordinal_);
  return size;
}

/// The next runs of a round of `size` runs, of which `made` were made: up to a lesson, if the
/// strategy proposes one, since it proposes more from what is learnt there.
HuntLoop::PartOfRound HuntLoop::propose_part(std::size_t made, std::size_t size) {
  PartOfRound part;
  const std::size_t learnt_points = size - runs_at_all_accesses(size);
  while (made + part.batch.size() < size) {
    auto proposal = strategy_.propose(known_, wire::seed_of(seed_, ordinal_ + part.batch.size()));
    if (!proposal) break;
    if (proposal->is_lesson) {
      part.lesson = std::move(proposal);
      break;
    }
    if (made + part.batch.size() >= learnt_points) proposal->points = wire::PointSet::kMemory;
    part.batch.push_back(std::move(*proposal));
  }
  return part;
}

/// How many runs at the end of a round may switch at every memory access: a small part of all
/// steps. Points are learnt from runs, and so may miss an access that no traced run made.
std::size_t HuntLoop::runs_at_all_accesses(std::size_t round) const {
  if (!marks_ || all_accesses_too_long_ || round < kRarelyAllAccesses) return 0;
  if (steps_at_all_accesses_ > explored_.steps / kRarelyAllAccesses) return 0;
  return round / kRarelyAllAccesses;
}

std::size_t HuntLoop::submission_size(std::size_t left) const {
  const double seconds = std::max(busy_seconds_ / static_cast<double>(explored_.runs), 1e-6);
  const auto fitting = static_cast<std::size_t>(kSecondsOfPiece / seconds);
  const std::size_t fair = (left + pool_.workers() - 1) / pool_.workers();
  return std::clamp<std::size_t>(std::min(fitting, fair), 1, std::min(left, kLargestPiece));
}

HuntLoop::SubmittedRuns HuntLoop::submit(const std::vector<Proposal>& batch, std::size_t first,
                                         std::size_t count) {
  BatchRequest request;
  while (batch[first + count - 1].points != batch[first].points) --count;
  request.first_ordinal = ordinal_ + first;
  request.proposals.assign(batch.begin() + static_cast<std::ptrdiff_t>(first),
                           batch.begin() + static_cast<std::ptrdiff_t>(first + count));
  request.marks = marks_;
  request.maps = round_maps_;
  return {first, count, pool_.submit(std::move(request))};
}

Result<bool> HuntLoop::run_round() {
  round_.clear();
  observed_.clear();
  std::size_t size = 1;
  for (std::size_t made = 0; made < size;) {
    // This comes first: totals of the journal set the number of the next run.
    Result<std::optional<JournalEntry>> seen = recall();
    if (!seen) return fail(seen.error());
    if (!*seen && over()) return true;
    if (made == 0) size = next_round_size();
    const PartOfRound part = propose_part(made, size);
    nothing_left_ = made == 0 && part.size() == 0;
    if (nothing_left_) return false;
    if (part.size() == 0) break;
    made += part.size();
    if (!part.batch.empty()) {
      const Result<bool> goes_on = run_batch(part.batch, *seen);
      if (!goes_on || !*goes_on) return goes_on;
    }
    if (part.lesson) {
      if (!part.batch.empty()) seen = recall();
      if (!seen) return fail(seen.error());
      if (!*seen && over()) return true;
      const Result<bool> goes_on = learn(*part.lesson, *seen);
      if (!goes_on || !*goes_on) return goes_on;
    }
  }
  round_size_ = std::min(2 * round_size_, kLongestRound);
  return learn_more();
}

/// `seen`: what came of these runs, if they were made before.
Result<bool> HuntLoop::run_batch(const std::vector<Proposal>& batch,
                                 const std::optional<JournalEntry>& seen) {
  if (seen) {
    if (seen->is_lesson || seen->runs.size() > batch.size()) return another_unravel();
    for (std::size_t i = 0; i < seen->runs.size(); ++i) {
      observe_in_round(batch[i], seen->runs[i]);
    }
    ordinal_ += seen->runs.size();
    return true;
  }
  round_maps_ = std::make_shared<const SiteMaps>(maps_);
  std::vector<RunSummary> summaries;
  std::deque<SubmittedRuns> under_way;
  std::size_t next = 0;
  bool goes_on = true;
  const auto may_submit = [&] {
    const bool in_time = !budget_.time || Clock::now() - began_ < *budget_.time;
    return goes_on && in_time && next < batch.size() && under_way.size() < pool_.workers();
  };
  while (may_submit() || !under_way.empty()) {
    while (may_submit()) {
      under_way.push_back(submit(batch, next, submission_size(batch.size() - next)));
      next += under_way.back().count;
    }
    SubmittedRuns submitted = std::move(under_way.front());
    under_way.pop_front();
    const std::size_t first = submitted.first;
    const std::size_t count = submitted.count;
    const std::size_t before = summaries.size();
    const Result<bool> taken = take(std::move(submitted), batch, goes_on, summaries);
    if (!taken) return taken;
    goes_on = *taken;
    // A failure ended this batch early; submit the rest of it.
    const std::size_t done = summaries.size() - before;
    if (goes_on && done < count) {
      under_way.push_front(submit(batch, first + done, count - done));
    }
  }
  ordinal_ += summaries.size();
  count_coverage();
  audience_.progress(explored_);
  const Result<void> kept = write_down({.runs = summaries});
  if (!kept) return fail(kept.error());
  return goes_on;
}

/// If the hunt has already found enough, the results of other workers are counted but not judged.
Result<bool> HuntLoop::take(SubmittedRuns submitted, const std::vector<Proposal>& batch,
                            bool judges, std::vector<RunSummary>& summaries) {
  Result<BatchResult> result = submitted.result.get();
  if (!result) return fail(result.error());
  if (result->runs.empty()) return internal_error("runs of a round came back empty");
  for (std::size_t i = 0; i < result->runs.size(); ++i) {
    observe_in_round(batch[submitted.first + i], result->runs[i]);
    summaries.push_back(result->runs[i]);
  }
  maps_.add(result->maps);
  explored_.pairs = maps_.pairs();
  audience_.progress(explored_);
  if (!judges) return false;
  for (auto* runs : {&result->unsettled, &result->failures}) {
    for (Run& run : *runs) {
      const std::uint64_t at_run = run.summary.ordinal + 1;
      const Result<bool> goes_on = judge(std::move(run), at_run);
      if (!goes_on || !*goes_on) return goes_on;
    }
  }
  return true;
}

/// Returns false if the hunt has found enough.
Result<bool> HuntLoop::judge(Run run, std::uint64_t at_run) {
  switch (run.summary.outcome) {
    case Outcome::kPassed: return true;
    case Outcome::kUnresolved:
      // This run may be too long only because it could switch at every access.
      if (marks_ && run.schedule.points == wire::PointSet::kMemory) return true;
      if (explored_.why_unresolved.empty()) {
        explored_.why_unresolved = run.explanation;
        explored_.reason = run.summary.reason;
      }
      return true;
    case Outcome::kDiverged:
    case Outcome::kError:
      return internal_error("a run of the hunt went wrong", run.explanation,
                            "please report it, with the output of `unravel doctor`");
    case Outcome::kFailed: break;
  }
  // Report one run for each key; count the others.
  const std::string key = run.failure ? run.failure->key : std::string();
  ++failures_[key];
  const bool is_first = ++explored_.failures[key] == 1;
  return is_first ? audience_.found(std::move(run), at_run) : Result<bool>(true);
}

// --- Counting --------------------------------------------------------------------------------

/// A run that may be repeated as a lesson.
void HuntLoop::observe_in_round(const Proposal& proposal, const RunSummary& run) {
  observed_.push_back(observe(proposal, run));
  round_.push_back(proposal);
}

/// Strategies are told of their own proposals only: most lessons repeat a run.
void HuntLoop::observe_lesson(const Proposal& proposal, const RunSummary& run) {
  if (proposal.is_lesson) {
    observe(proposal, run);
  } else {
    note(run, proposal.points.has_value());
  }
}

Observation HuntLoop::observe(const Proposal& proposal, const RunSummary& run) {
  if (proposal.points) {
    steps_at_all_accesses_ += run.steps;
    all_accesses_too_long_ |= run.outcome == Outcome::kUnresolved;
  }
  const Observation seen = note(run, proposal.points.has_value());
  strategy_.observe(proposal, seen);
  auto& shares = explored_.shares;
  auto share = std::find_if(shares.begin(), shares.end(), [&](const StrategyShare& one) {
    return one.strategy == proposal.strategy;
  });
  if (share == shares.end()) share = shares.insert(share, {.strategy = proposal.strategy});
  ++share->runs;
  share->new_behaviours += seen.is_new_behaviour;
  // A run that did not end may have missed a bug.
  const bool is_resolved = run.outcome == Outcome::kPassed || run.outcome == Outcome::kFailed;
  if (is_resolved && !proposal.points) {
    explored_.pct.add(Pct::depth_of(proposal), proposal.schedule.then.length, run.steps);
  }
  return seen;
}

/// `has_other_points`: its steps cannot be compared with those of other runs.
Observation HuntLoop::note(const RunSummary& run, bool has_other_points) {
  if (!has_other_points) known_.add(run);
  Observation seen{.run = run};
  seen.is_new_schedule = schedules_.add(run.schedule_hash);
  seen.is_new_behaviour = behaviours_.add(run.behaviour);
  ++explored_.runs;
  most_threads_ = std::max(most_threads_, run.threads);
  explored_.passed += run.outcome == Outcome::kPassed;
  explored_.unresolved += run.outcome == Outcome::kUnresolved;
  explored_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  explored_.steps += run.steps;
  busy_seconds_ += run.seconds;
  explored_.schedules = earlier_schedules_ + schedules_.size();
  explored_.behaviours = earlier_behaviours_ + behaviours_.size();
  explored_.longest = known_.longest;
  explored_.threads = known_.threads;
  const bool is_new = seen.is_new_behaviour || run.new_pairs || run.new_sites;
  explored_.since_new = is_new ? 0 : explored_.since_new + 1;
  return seen;
}

void HuntLoop::count_coverage() {
  explored_.data_pairs = explored_.sync_pairs = {};
  for (const SitePair& pair : known_.pairs) {
    Covered& part = pair.is_data ? explored_.data_pairs : explored_.sync_pairs;
    const bool first = pair.seen_first || maps_.has_met(pair.first, pair.second);
    const bool second = pair.seen_second || maps_.has_met(pair.second, pair.first);
    ++part.total;
    part.covered += first && second;
  }
}

}  // namespace unravel
