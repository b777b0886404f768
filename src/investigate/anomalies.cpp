#include "investigate/anomalies.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "data/failure_title.hpp"
#include "data/print.hpp"
#include "investigate/anomaly_places.hpp"
#include "predict/clip.hpp"

namespace unravel {

namespace {

// Ranks of harm.
constexpr unsigned kOfFreedMemory = 0;
constexpr unsigned kOfWords = 1;  // eight bytes: a pointer or a length, perhaps
constexpr unsigned kOfLostWrites = 2;
constexpr unsigned kOfOthers = 3;
constexpr unsigned kOfBlindWrites = 4;  // nobody reads between them

constexpr const char* kAsBefore = "the run passed, as before";
constexpr const char* kIsMarked = ", but the region is marked as atomic";

// Rows of a clip: as many as a screen can hold beside the stacks. Chosen by hand.
constexpr std::size_t kMostClipRows = 12;

std::string text_of(const Frame& frame) {
  const std::string function = frame.function.empty() ? "?" : frame.function;
  if (frame.file.empty()) {
    return function + " " + std::filesystem::path(frame.module).filename().string() + "+" +
           std::to_string(frame.offset);
  }
  return function + " " + frame.file + ":" + std::to_string(frame.line);
}

std::string line_of(const Frame& frame) {
  if (frame.file.empty()) return text_of(frame);
  return std::filesystem::path(frame.file).filename().string() + ":" + std::to_string(frame.line);
}

unsigned harm_of(const History& history, const Candidate& candidate, const std::string& pattern) {
  unsigned harm = pattern == "WWW" ? kOfBlindWrites : kOfOthers;
  if (pattern == "RWW" || pattern == "WW") harm = kOfLostWrites;
  for (const EventIndex event : candidate.events()) {
    const KeptEvent& kept = history.events[event];
    if (kept.operation == wire::Operation::kFree) return kOfFreedMemory;
    if (is_access(kept.role) && kept.bytes == 0xFF) harm = std::min(harm, kOfWords);
  }
  return harm;
}

/// Two accesses in a row are meant as one unit only perhaps, and whoever makes accesses atomic says
/// that others may come between. A write that is based on an old value is wrong even so.
bool may_be_meant(const History& history, const Candidate& candidate, const std::string& pattern) {
  if (candidate.kind == AnomalyKind::kOrder) return true;
  if (candidate.kind == AnomalyKind::kPattern) return false;
  const std::vector<EventIndex>& events = candidate.events();
  const bool are_atomic = std::all_of(events.begin(), events.end(), [&](EventIndex event) {
    return history.events[event].is_atomic;
  });
  if (are_atomic) return true;
  if (candidate.kind != AnomalyKind::kAtomicity || pattern == "RWW") return false;
  const auto region = history.region_of(events.front(), RegionKind::kSection);
  return !region || region != history.region_of(events.back(), RegionKind::kSection);
}

/// A number for the variable of each event, in the order of their first events.
std::vector<std::size_t> variables_of(const History& history, const Candidate& candidate) {
  std::vector<std::uint32_t> objects;
  std::vector<std::size_t> numbers;
  for (const EventIndex event : candidate.events()) {
    const std::uint32_t object = history.events[event].object;
    const auto known = std::find(objects.begin(), objects.end(), object);
    numbers.push_back(static_cast<std::size_t>(known - objects.begin()));
    if (known == objects.end()) objects.push_back(object);
  }
  return numbers;
}

}  // namespace

const Frame& Anomalies::place_of(const Run& run, wire::Site site) {
  const auto [known, is_new] = frames_.try_emplace(site.packed);
  if (!is_new) return known->second;
  if (site.module() != wire::kNoModule && site.module() < run.schedule.modules.size()) {
    const Stack stack = symbolizer_.frames(run.schedule.modules[site.module()].path, site.offset());
    const Frame* const own = own_frame(stack);
    if (own) known->second = *own;
    if (!own && !stack.empty()) known->second = stack.front();
  }
  return known->second;
}

RaceSide Anomalies::side_of(const AnalysedRun& run, EventIndex event) {
  const KeptEvent& kept = run.history.events[event];
  RaceSide side;
  side.thread.ordinal = kept.thread;
  side.clock = kept.clock();
  side.operation = kept.operation;
  side.site = place_of(run.run, run.history.site_of(event));
  side.stack = {side.site};
  return side;
}

std::size_t Anomalies::add(const AnalysedRun& run, const Candidate& candidate) {
  const bool has_pattern =
      candidate.kind != AnomalyKind::kDeadlock && candidate.kind != AnomalyKind::kOrder;
  std::string pattern = has_pattern ? patterns_[candidate.pattern].name : std::string();
  std::vector<std::string> places;
  for (const EventIndex event : candidate.events()) {
    places.push_back(text_of(place_of(run.run, run.history.site_of(event))));
  }
  // The same race may be seen from both sides.
  const bool has_no_order =
      candidate.kind == AnomalyKind::kRace || candidate.kind == AnomalyKind::kDeadlock;
  if (has_no_order) std::sort(places.begin(), places.end());
  std::string key = name(candidate.kind);
  if (has_pattern && !has_no_order) key += " " + pattern;
  for (std::size_t i = 0; i < places.size(); ++i) key += (i == 0 ? ": " : "; ") + places[i];
  const auto [known, is_new] = by_key_.try_emplace(key, entries_.size());
  if (is_new) {
    Entry& entry = entries_.emplace_back();
    entry.anomaly.kind = candidate.kind;
    entry.anomaly.pattern = pattern;
    entry.anomaly.key = key;
    for (const EventIndex event : candidate.events()) {
      entry.anomaly.sides.push_back(side_of(run, event));
    }
    entry.variables = variables_of(run.history, candidate);
    entry.harm = harm_of(run.history, candidate, pattern);
    entry.only_if_it_fails = true;
  }
  Entry& entry = entries_[known->second];
  // Those in marked regions are told in any case.
  if (!candidate.is_marked) {
    entry.only_if_it_fails &= may_be_meant(run.history, candidate, pattern);
  }
  if (candidate.is_seen && entry.anomaly.status == AnomalyStatus::kUntried) {
    entry.anomaly.status = AnomalyStatus::kSeen;
  }
  return known->second;
}

bool Anomalies::is_shown(const PursuitAttempt& attempt, const AnalysedRun& base,
                         const AnalysedRun& run) {
  if (attempt.goal.kind == Goal::Kind::kStand) {
    if (!run.run.failure || run.run.failure->kind != FailureKind::kDeadlock) return false;
    const auto& threads = run.run.failure->threads;
    return std::all_of(attempt.expected.begin(), attempt.expected.end(), [&](const auto& event) {
      return std::any_of(threads.begin(), threads.end(), [&](const ThreadAtFailure& one) {
        return one.thread == event.thread && one.state != "running";
      });
    });
  }
  const EventWatch& watch = run.sink->watch();
  if (!watch.in_order(attempt.goal.kind == Goal::Kind::kNeighbours)) return false;
  // Accesses to one variable have to be accesses to one variable again.
  const std::vector<EventIndex>& events = attempt.goal.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const KeptEvent& one = base.history.events[events[i]];
    for (std::size_t j = i + 1; is_access(one.role) && j < events.size(); ++j) {
      const KeptEvent& other = base.history.events[events[j]];
      if (other.object == one.object && !watch.overlap(i, j)) return false;
    }
  }
  return true;
}

std::string Anomalies::why_not_shown(const PursuitAttempt& attempt, const AnalysedRun& base,
                                     const AnalysedRun& run) {
  if (run.run.summary.outcome == Outcome::kUnresolved)
    return "its run was unresolved: " + run.run.explanation;
  const auto& seen = run.sink->watch().seen();
  const bool all_came =
      std::all_of(seen.begin(), seen.end(), [](const auto& one) { return one.has_value(); });
  if (run.run.failure && !all_came) {
    return "its run failed before: " + failure_title(*run.run.failure);
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    const std::uint32_t thread = attempt.expected[i].thread;
    // Where the thread last did the same as before.
    EventIndex one = base.history.first_of(thread);
    EventIndex other = thread < run.history.threads() ? run.history.first_of(thread) : kNoEvent;
    EventIndex last = kNoEvent;
    while (one != kNoEvent && other != kNoEvent &&
           base.history.site_of(one) == run.history.site_of(other)) {
      last = other;
      one = base.history.events[one].next;
      other = run.history.events[other].next;
    }
    const std::string name = "T" + std::to_string(thread);
    const std::string missing =
        " did not come to " + line_of(place_of(base.run, attempt.expected[i].site));
    if (last == kNoEvent) return name + missing;
    return name + missing + ": it went another way after " +
           line_of(place_of(run.run, run.history.site_of(last)));
  }
  return attempt.goal.kind == Goal::Kind::kStand ? "the threads did not wait for each other"
                                                 : "the events came in another order, or elsewhere "
                                                   "in memory";
}

void Anomalies::confirm(std::size_t finding, const PursuitAttempt& attempt, const AnalysedRun& run,
                        const AnalysedRun& base) {
  Entry& entry = entries_[finding];
  FoundAnomaly& anomaly = entry.anomaly;
  const bool is_first = anomaly.status != AnomalyStatus::kConfirmed;
  const bool failed = run.run.failure.has_value();
  const bool same_output =
      run.run.output == base.run.output && run.run.error_output == base.run.error_output;
  const bool same_path = run.fingerprints.path == base.fingerprints.path;
  const bool same_values = run.fingerprints.values == base.fingerprints.values;
  const bool is_same =
      run.run.summary.outcome == Outcome::kPassed && same_output && same_path && same_values;
  anomaly.status = AnomalyStatus::kConfirmed;
  const bool looked_benign = is_first || anomaly.looks_benign;
  // Whoever marks a region says that nothing may come between, whatever it leads to.
  anomaly.looks_benign =
      looked_benign && !failed && !attempt.is_marked && (is_same || entry.only_if_it_fails);
  // The run that shows most is told.
  const bool is_better = is_first || (failed && !anomaly.failure) ||
                         (!is_same && !anomaly.failure && anomaly.why.starts_with(kAsBefore)) ||
                         (looked_benign && !anomaly.looks_benign);
  if (!is_better) return;
  anomaly.rung = name(attempt.rung);
  anomaly.failure = run.run.failure;
  anomaly.why = failed         ? failure_title(*run.run.failure)
                : is_same      ? kAsBefore + std::string(attempt.is_marked ? kIsMarked : "")
                : !same_output ? "the run passed, but wrote something else"
                : !same_path   ? "the run passed, but a thread went another way"
                : !same_values
                    ? "the run passed, but variables had other values at its end"
                    : "the run was " + std::string(unravel::name(run.run.summary.outcome));
  anomaly.sides.clear();
  entry.run = run.run;
  const auto& seen = run.sink->watch().seen();
  for (std::size_t i = 0; i < attempt.expected.size(); ++i) {
    const ExpectedEvent& event = attempt.expected[i];
    RaceSide side;
    side.thread.ordinal = event.thread;
    side.clock = seen[i] ? seen[i]->clock : event.clock;
    side.operation = event.operation;
    side.site = place_of(run.run, event.site);
    side.stack = {side.site};
    anomaly.sides.push_back(std::move(side));
  }
  anomaly.clip = clip_of(run, anomaly);
}

std::vector<ClipRow> Anomalies::clip_of(const AnalysedRun& run, const FoundAnomaly& anomaly) {
  const bool is_blocked = anomaly.kind == AnomalyKind::kDeadlock;
  std::vector<EventIndex> given;
  for (const RaceSide& side : anomaly.sides) {
    const std::uint32_t thread = side.thread.ordinal;
    if (is_blocked) {
      const EventIndex last = last_event_of(run.history, thread);
      if (last != kNoEvent) given.push_back(last);
    } else {
      const std::vector<EventIndex> events = events_at(run.history, thread, side.clock);
      given.insert(given.end(), events.begin(), events.end());
    }
  }
  std::vector<ClipRow> clip;
  const std::size_t most =
      kMostClipRows - (is_blocked ? std::min(kMostClipRows, anomaly.sides.size()) : 0);
  for (const ClippedEvent& one : clip_around(run.history, given, most)) {
    clip.push_back({.event = side_of(run, one.event),
                    .is_side = one.is_given && !is_blocked,
                    .left_out = one.left_out});
  }
  if (!is_blocked) return clip;
  for (const RaceSide& side : anomaly.sides) {
    clip.push_back({.event = side, .is_side = true, .is_blocked = true});
  }
  return clip;
}

void Anomalies::refute(std::size_t finding, const PursuitAttempt& attempt, const std::string& why) {
  FoundAnomaly& anomaly = entries_[finding].anomaly;
  if (anomaly.status == AnomalyStatus::kConfirmed || anomaly.status == AnomalyStatus::kSeen) return;
  anomaly.status = AnomalyStatus::kRefuted;
  anomaly.rung = name(attempt.rung);
  anomaly.why = why;
}

void Anomalies::no_witness(std::size_t finding) {
  FoundAnomaly& anomaly = entries_[finding].anomaly;
  if (anomaly.status != AnomalyStatus::kUntried) return;
  anomaly.status = AnomalyStatus::kNoWitness;
  anomaly.why = "no order of the run's events leads there";
}

std::vector<std::string> Anomalies::warnings_about_marks(const AnalysedRun& run) {
  std::vector<std::string> warnings;
  const auto add = [&](const StrayMark& mark, const char* what, const char* why) {
    warnings.push_back("T" + std::to_string(mark.thread) + what +
                       line_of(place_of(run.run, run.history.sites[mark.site])) + why);
  };
  for (const StrayMark& mark : run.history.stray_ends) {
    add(mark, " ends an atomic region at ",
        " that it has not begun: unravel_atomic_end() has no effect there");
  }
  for (const StrayMark& mark : run.history.stray_begins) {
    add(mark, " ended inside the atomic region that it began at ",
        ": some way out of the region has no unravel_atomic_end()");
  }
  return warnings;
}

Result<void> Anomalies::place(Pool& pool, Store& store, const RunSettings& settings,
                              const std::string& input) {
  for (Entry& entry : entries_) {
    if (!entry.anomaly.matters() || !entry.run) continue;
    const Result<void> placed = place_sides(pool, *entry.run, entry.variables, entry.anomaly);
    if (!placed) return placed;
    if (entry.run->id.empty()) {
      Result<std::string> id = store.add(*entry.run, settings, input);
      if (!id) return fail(id.error());
      entry.run->id = std::move(*id);
    }
    entry.anomaly.run = entry.run->id;
  }
  return {};
}

void Anomalies::tell(PredictionReport& report) {
  std::vector<Entry*> sorted;
  for (Entry& entry : entries_) sorted.push_back(&entry);
  const auto rank = [](const Entry* entry) {
    const FoundAnomaly& one = entry->anomaly;
    return std::tuple(!one.failure, !one.matters(), one.status, entry->harm);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const Entry* one, const Entry* other) { return rank(one) < rank(other); });
  for (Entry* const entry : sorted) {
    FoundAnomaly& one = entry->anomaly;
    const bool is_suppressed =
        std::any_of(one.sides.begin(), one.sides.end(), [&](const RaceSide& side) {
          return suppressions_.match(side.stack, one.sides.back().stack, side.variable);
        });
    if (is_suppressed) {
      ++report.suppressed;
      continue;
    }
    const auto kind = static_cast<std::size_t>(one.kind);
    ++report.predicted[kind];
    switch (one.status) {
      case AnomalyStatus::kConfirmed: ++report.confirmed[kind]; break;
      case AnomalyStatus::kSeen: ++report.seen[kind]; break;
      case AnomalyStatus::kRefuted: ++report.refuted[kind]; break;
      case AnomalyStatus::kNoWitness: ++report.no_witness[kind]; break;
      case AnomalyStatus::kUntried: break;
    }
    report.anomalies.push_back(std::move(one));
  }
}

}  // namespace unravel
