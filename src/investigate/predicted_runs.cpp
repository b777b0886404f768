#include "investigate/predicted_runs.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "investigate/anomalies.hpp"

namespace unravel {

namespace {

// A longer run is not analysed: the hunt makes many runs in the time that this would take. Chosen
// by hand.
constexpr std::size_t kMostWords = std::size_t{1} << 22;

// What is kept of all runs may take this much memory. Then everything is forgotten, and the next
// runs are predicted from the latest trace. Chosen so that the driver of a hunt in a small program
// stays below 64 MiB.
constexpr std::size_t kMostMemory = std::size_t{16} << 20;

// Of one pursuit, with its place in the queue and the events of its candidate.
constexpr std::size_t kBytesOfPursuit = sizeof(Pursuit) + 64;

// Runs that one lesson suggests. More would be put off by those of the next lessons. Chosen by
// hand.
constexpr std::size_t kMostOfLesson = 8;

// Searches for a witness after one lesson. Those that find none take long: without a limit, a hunt
// in a program with many locks would spend most of its time on them. Chosen by hand.
constexpr std::size_t kMostSearches = 64;
// The same until the first witness is found.
constexpr std::size_t kMostSearchesForFirst = 1024;

// How many predicted runs lead one from another. Chosen by hand.
constexpr std::uint32_t kDeepest = 16;

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns = race_patterns();
  for (Pattern& one : conflict_cycles()) patterns.push_back(std::move(one));
  return patterns;
}

std::uint64_t key_of(const History& history, const Candidate& candidate) {
  std::uint64_t key = hash_of(static_cast<std::uint64_t>(candidate.kind), candidate.pattern);
  for (const EventIndex event : candidate.events()) {
    key = hash_of(key, history.site_of(event).packed);
  }
  return key;
}

// The rung `constraints` is left out: a hunt has strategies that try orders of sites.
Pursuits no_pursuits() {
  return Pursuits({.rungs = {Rung::kSyncPreserving, Rung::kLockReordering, Rung::kSameValue,
                             Rung::kSpeculative}});
}

}  // namespace

PredictedRuns::PredictedRuns()
    : patterns_(all_patterns()), functions_({}), pursuits_(no_pursuits()) {}

void PredictedRuns::start_anew() {
  pursuits_ = no_pursuits();
  attempts_.clear();
  findings_.clear();
  memory_ = 0;
}

std::unique_ptr<HistorySink> PredictedRuns::sink_for(const Proposal& proposal) const {
  const auto attempt = attempts_.find(hash_of_proposal(proposal));
  const bool is_ours = proposal.is_lesson && attempt != attempts_.end();
  return std::make_unique<HistorySink>(
      is_ours ? attempt->second.expected : std::vector<ExpectedEvent>(), kMostWords);
}

std::vector<PredictedRun> PredictedRuns::take(const Proposal& proposal, const Run& run,
                                              std::unique_ptr<HistorySink> sink) {
  auto analysed = std::make_unique<AnalysedRun>();
  analysed->history = sink->history(functions_);
  if (analysed->history.is_cut) return {};
  analysed->fingerprints = fingerprints_of(analysed->history);
  analysed->sink = std::move(sink);
  analysed->run.schedule = run.schedule;
  analysed->run.summary = run.summary;
  analysed->run.failure = run.failure;
  const auto made = attempts_.find(hash_of_proposal(proposal));
  if (proposal.is_lesson && made != attempts_.end()) {
    const PursuitAttempt attempt = std::move(made->second);
    attempts_.erase(made);
    const AnalysedRun& base = pursuits_.run_of(attempt.pursuit);
    analysed->depth = base.depth + 1;
    pursuits_.take(attempt.pursuit, Anomalies::is_shown(attempt, base, *analysed), {});
  }
  const bool may_lead_on = run.summary.outcome == Outcome::kPassed && analysed->depth <= kDeepest;
  if (may_lead_on && pursuits_.is_new(*analysed)) analyse(std::move(analysed));

  std::vector<PredictedRun> suggested;
  std::size_t searches = kMostSearchesForFirst;
  while (suggested.size() < kMostOfLesson) {
    std::optional<PursuitAttempt> next = pursuits_.next(searches);
    if (!next) break;
    suggested.push_back(
        {.cost = static_cast<std::uint64_t>(next->cost), .proposal = std::move(next->proposal)});
    attempts_.emplace(hash_of_proposal(suggested.back().proposal), std::move(*next));
    searches = std::min(searches, kMostSearches);
  }
  is_exhausted_ = suggested.size() < kMostOfLesson && searches > 0;
  return suggested;
}

void PredictedRuns::analyse(std::unique_ptr<AnalysedRun> run) {
  if (memory_ + attempts_.size() * kBytesOfPursuit > kMostMemory) start_anew();
  run->sink.reset();
  memory_ += run->history.bytes();
  const std::size_t number = pursuits_.add(std::move(run));
  const History& history = pursuits_.run_at(number).history;
  std::unordered_map<std::size_t, std::uint32_t> instances;  // by finding
  for (Candidate& candidate : find_candidates(history, patterns_, {})) {
    if (candidate.is_seen && candidate.kind != AnomalyKind::kRace) continue;
    const std::size_t finding =
        findings_.try_emplace(key_of(history, candidate), findings_.size()).first->second;
    pursuits_.add({.run = number,
                   .candidate = std::move(candidate),
                   .finding = finding,
                   .instance = instances[finding]++});
    memory_ += kBytesOfPursuit;
  }
}

}  // namespace unravel
