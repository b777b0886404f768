// How fast are bugs predicted from a trace, beside finding its races, and does that change in long
// traces?
//
// A synthetic trace (common/synthetic_trace.hpp says of what) is made in blocks, twice: prediction
// makes two passes. Only the time in which a block is taken is counted. For few and for many
// variables: time per event beside that of the race detector, in rounds; the same for traces of 1
// to 50 million events; and how long a witness takes near the end of a trace of a million kept
// events, beside decoding that trace.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/synthetic_trace.hpp"
#include "data/trace_decoder.hpp"
#include "predict/candidates.hpp"
#include "predict/history_builder.hpp"
#include "predict/races.hpp"
#include "predict/witness.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

constexpr std::size_t kBlock = 16'384;

template <class Body>
double processor_nanoseconds_of(Body body) {
  const std::uint64_t began = processor_nanoseconds();
  body();
  return static_cast<double>(processor_nanoseconds() - began);
}

/// The processor time in which `analysis` takes the first events of the synthetic trace.
template <class Analysis>
double take(Analysis& analysis, std::uint64_t variables, std::uint64_t length) {
  SyntheticTrace trace(variables);
  double nanoseconds = 0;
  for (std::uint64_t taken = 0; taken < length;) {
    const std::vector<TraceEvent>& events = trace.next(kBlock);
    nanoseconds += processor_nanoseconds_of([&] { analysis.take(events); });
    taken += events.size();
  }
  return nanoseconds;
}

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns = race_patterns();
  for (Pattern& cycle : conflict_cycles()) patterns.push_back(std::move(cycle));
  return patterns;
}

std::vector<Candidate> find_candidates(const History& history) {
  std::vector<Candidate> candidates = find_patterns(history, all_patterns(), {});
  const auto add = [&](std::vector<Candidate> more) {
    for (Candidate& one : more) candidates.push_back(std::move(one));
  };
  add(find_lock_cycles(history, {}));
  add(find_orders(history, {}));
  return candidates;
}

/// What was predicted from a trace, and the time of each part of it.
struct Predicted {
  History history;
  std::vector<Candidate> candidates;
  double base = 0;  // nanoseconds per event: memory that threads share, and the history
  double all = 0;   // with the candidates of all kinds
};

Predicted predict(std::uint64_t variables, std::uint64_t length) {
  SharedMemory shared;
  double nanoseconds = take(shared, variables, length);
  HistoryBuilder builder(shared);
  nanoseconds += take(builder, variables, length);
  Predicted predicted;
  nanoseconds += processor_nanoseconds_of([&] { predicted.history = builder.finish({}); });
  const auto events = static_cast<double>(predicted.history.traced);
  predicted.base = nanoseconds / events;
  nanoseconds +=
      processor_nanoseconds_of([&] { predicted.candidates = find_candidates(predicted.history); });
  predicted.all = nanoseconds / events;
  return predicted;
}

// --- Speed -------------------------------------------------------------------------------------

Json measure_speed(std::uint64_t variables, std::uint64_t events, int rounds) {
  std::vector<double> races, base, all;
  std::size_t kept = 0, candidates = 0, bytes = 0;
  for (int i = 0; i < rounds; ++i) {
    RaceDetector detector;
    races.push_back(take(detector, variables, events) / static_cast<double>(events));
    const Predicted predicted = predict(variables, events);
    base.push_back(predicted.base);
    all.push_back(predicted.all);
    kept = predicted.history.events.size();
    candidates = predicted.candidates.size();
    bytes = predicted.history.bytes();
  }
  // Events a second over those of races are the time of races over this time.
  const double base_ratio = median_ratio(races, base);
  const double all_ratio = median_ratio(races, all);
  const auto print = [&](const char* name, double nanoseconds, const std::string& ratio) {
    fmt::print("  {:14} {:9} {:12.1f} {:10.1f}   {}\n", name, variables, 1e3 / nanoseconds,
               nanoseconds, ratio);
  };
  print("races", median(races), "");
  print("history", median(base), fmt::format("{:5.2f} (at least 0.5 is wanted)", base_ratio));
  print("all patterns", median(all), fmt::format("{:5.2f} (at least 0.1 is wanted)", all_ratio));
  fmt::print("  {:24} {} events kept, {:.0f} bytes each; {} candidates\n", "", kept,
             static_cast<double>(bytes) / static_cast<double>(kept), candidates);
  return {{"variables", variables},  {"events", events},      {"races_ns", median(races)},
          {"base_ns", median(base)}, {"all_ns", median(all)}, {"base_ratio", base_ratio},
          {"all_ratio", all_ratio},  {"kept_events", kept},   {"candidates", candidates},
          {"bytes", bytes}};
}

Json measure_growth(std::uint64_t variables, const std::vector<std::uint64_t>& lengths) {
  Json figures;
  std::vector<double> base, all;
  for (const std::uint64_t length : lengths) {
    const Predicted predicted = predict(variables, length);
    base.push_back(predicted.base);
    all.push_back(predicted.all);
    figures.push_back({{"variables", variables},
                       {"events", predicted.history.traced},
                       {"base_ns", predicted.base},
                       {"all_ns", predicted.all}});
  }
  const auto print = [&](const char* name, const std::vector<double>& times) {
    const double growth = *std::max_element(times.begin(), times.end()) / times.front();
    fmt::print("  {:14} {:9}", name, variables);
    for (const double one : times) fmt::print(" {:8.1f}", one);
    fmt::print("   {:.2f}\n", growth);
  };
  print("history", base);
  print("all patterns", all);
  return figures;
}

// --- Witnesses ---------------------------------------------------------------------------------

/// The events as the runtime writes them.
std::vector<std::uint64_t> words_of(std::uint64_t variables, std::uint64_t length) {
  SyntheticTrace trace(variables);
  std::vector<std::uint64_t> words;
  std::uint32_t turn = ~0u;
  for (std::uint64_t taken = 0; taken < length;) {
    const std::vector<TraceEvent>& events = trace.next(kBlock);
    for (const TraceEvent& event : events) {
      if (event.thread != turn) {
        turn = event.thread;
        words.push_back(wire::TraceHead::of(turn, wire::kTurn, 0).word);
        words.insert(words.end(), {event.clock.operations, event.clock.hooks});
      }
      const auto operation = static_cast<std::uint8_t>(event.operation);
      const bool is_hook = wire::is_hook(event.operation);
      const auto detail =
          is_hook ? static_cast<std::uint8_t>(std::countr_zero(event.size)) : std::uint8_t{0};
      words.push_back(wire::TraceHead::of(event.site, operation, detail).word);
      words.push_back(event.object);
      if (!is_hook) words.push_back(0);
    }
    taken += events.size();
  }
  return words;
}

double decoding_nanoseconds(std::span<const std::uint64_t> words, std::uint64_t expected) {
  std::uint64_t decoded = 0;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) { decoded += events.size(); });
  const double nanoseconds = processor_nanoseconds_of([&] { decoder.take(words, {}); });
  if (decoded != expected || decoder.damaged()) {
    fmt::print(stderr, "predict: {} of {} events were decoded\n", decoded, expected);
    std::exit(1);
  }
  return nanoseconds;
}

/// The candidates of a kind whose last event is the latest: a witness leads through all that is
/// before it.
std::vector<const Candidate*> latest_of(const std::vector<Candidate>& all, AnomalyKind kind,
                                        std::size_t most) {
  std::vector<const Candidate*> chosen;
  for (const Candidate& one : all) {
    if (one.kind == kind) chosen.push_back(&one);
  }
  const auto last = [](const Candidate* one) { return std::ranges::max(one->events()); };
  std::ranges::sort(chosen, [&](const Candidate* one, const Candidate* other) {
    return last(one) > last(other);
  });
  if (chosen.size() > most) chosen.resize(most);
  return chosen;
}

Json measure_witnesses(std::uint64_t variables, std::uint64_t length, std::size_t most) {
  const Predicted predicted = predict(variables, length);
  const History& history = predicted.history;
  const std::vector<std::uint64_t> words = words_of(variables, length);
  std::vector<double> decoding;
  for (int i = 0; i < 5; ++i) decoding.push_back(decoding_nanoseconds(words, history.traced));
  const double decoded = median(decoding);
  fmt::print(
      "\nWitnesses of the latest candidates, {} variables, {} events kept; decoding takes {:.1f} "
      "ms\n\n",
      variables, history.events.size(), decoded / 1e6);
  fmt::print("  {:12} {:16} {:>6} {:>6} {:>10} {:>9} {:>10} {:>9}\n", "kind", "rung", "tried",
             "found", "median ms", "over", "worst ms", "over");
  Json figures;
  for (const AnomalyKind kind : {AnomalyKind::kRace, AnomalyKind::kAtomicity, AnomalyKind::kSet,
                                 AnomalyKind::kDeadlock, AnomalyKind::kOrder}) {
    const std::vector<const Candidate*> chosen = latest_of(predicted.candidates, kind, most);
    if (chosen.empty()) continue;
    for (const Rung rung : {Rung::kSyncPreserving, Rung::kLockReordering, Rung::kSpeculative}) {
      std::vector<double> times;
      std::size_t found = 0;
      for (const Candidate* const candidate : chosen) {
        times.push_back(processor_nanoseconds_of([&] {
          const auto order = witness(history, candidate->goal, rung);
          if (order && !slices_of(history, candidate->goal, *order).empty()) ++found;
        }));
      }
      const double usual = median(times);
      const double worst = std::ranges::max(times);
      fmt::print("  {:12} {:16} {:6} {:6} {:10.2f} {:9.2f} {:10.2f} {:9.2f}\n", name(kind),
                 name(rung), times.size(), found, usual / 1e6, usual / decoded, worst / 1e6,
                 worst / decoded);
      figures.push_back({{"kind", name(kind)},
                         {"rung", name(rung)},
                         {"tried", times.size()},
                         {"found", found},
                         {"median_ns", usual},
                         {"worst_ns", worst},
                         {"decoding_ns", decoded}});
    }
  }
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "How fast are bugs predicted from a trace, and does that change in long traces?");
  const std::uint64_t scale = arguments.quick ? 50 : 1;
  const int rounds = arguments.quick ? 1 : 3;
  const std::uint64_t few = 10'000;
  const std::uint64_t many = 2'000'000 / scale;
  fmt::print("{}\n\n{} million events on one CPU, the median of {} rounds\n\n", describe_machine(),
             10.0 / static_cast<double>(scale), rounds);
  fmt::print("  {:14} {:>9} {:>12} {:>10}   {}\n", "", "variables", "M events/s", "ns/event",
             "events/s over those of races");
  Json speed, growth;
  for (const std::uint64_t variables : {few, many}) {
    speed.push_back(measure_speed(variables, 10'000'000 / scale, rounds));
  }

  std::vector<std::uint64_t> lengths;
  fmt::print("\nTime per event, for traces of so many million events\n\n  {:24}", "");
  for (const std::uint64_t length : {1u, 5u, 20u, 50u}) {
    lengths.push_back(length * 1'000'000 / scale);
    fmt::print(" {:8}", static_cast<double>(lengths.back()) / 1e6);
  }
  fmt::print("   most/first (at most 2 is wanted with few variables)\n");
  for (const std::uint64_t variables : {few, many}) {
    growth.push_back(measure_growth(variables, lengths));
  }
  const Json witnesses = measure_witnesses(few, 1'060'000 / scale, arguments.quick ? 3 : 25);
  write_json(arguments, "predict",
             {{"speed", speed}, {"growth", growth}, {"witnesses", witnesses}});
}
