// How fast are races and possible conflicts found, and does that change in long traces?
//
// A synthetic trace (common/synthetic_trace.hpp says of what) is made in blocks, and only the time
// in which a block is taken is counted. For few and for many variables: events per second and
// memory per variable over 10 million events; then time and memory over parts of a trace of 50
// million.
#include "predict/races.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/synthetic_trace.hpp"
#include "predict/conflicts.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

constexpr std::size_t kBlock = 16'384;

std::size_t found(const RaceDetector& detector) { return detector.races().size(); }
std::size_t found(const ConflictFinder& finder) { return finder.sites().size(); }

struct Part {
  std::uint64_t events = 0;  // from the begin to its end
  double nanoseconds = 0;    // per event of the part
  std::size_t bytes = 0;     // at its end
  std::size_t found = 0;
};

/// Takes one trace up to each of these lengths, in ascending order.
template <class Analysis>
std::vector<Part> take(std::uint64_t variables, const std::vector<std::uint64_t>& lengths) {
  SyntheticTrace trace(variables);
  Analysis analysis;
  std::vector<Part> parts;
  std::uint64_t taken = 0;
  for (const std::uint64_t length : lengths) {
    double nanoseconds = 0;
    const std::uint64_t before = taken;
    while (taken < length) {
      const std::vector<TraceEvent>& events = trace.next(kBlock);
      const std::uint64_t began = processor_nanoseconds();
      analysis.take(events);
      nanoseconds += static_cast<double>(processor_nanoseconds() - began);
      taken += events.size();
    }
    parts.push_back({taken, nanoseconds / static_cast<double>(taken - before),
                     analysis.shadow_bytes(), found(analysis)});
  }
  return parts;
}

template <class Analysis>
Json measure_speed(const std::string& name, std::uint64_t variables, std::uint64_t events,
                   int rounds) {
  std::vector<double> samples;
  Part part;
  for (int i = 0; i < rounds; ++i) {
    part = take<Analysis>(variables, {events}).front();
    samples.push_back(part.nanoseconds);
  }
  const double nanoseconds = median(samples);
  const double bytes = static_cast<double>(part.bytes) / static_cast<double>(variables);
  fmt::print("  {:18} {:9} {:12.1f} {:10.1f} {:14.0f} {:10}\n", name, variables, 1e3 / nanoseconds,
             nanoseconds, bytes, part.found);
  return {{"analysis", name},           {"variables", variables},
          {"events", part.events},      {"ns_per_event", nanoseconds},
          {"shadow_bytes", part.bytes}, {"found", part.found}};
}

template <class Analysis>
Json measure_growth(const std::string& name, std::uint64_t variables,
                    const std::vector<std::uint64_t>& lengths) {
  Json figures;
  const std::vector<Part> parts = take<Analysis>(variables, lengths);
  fmt::print("  {:18} {:9}  ns", name, variables);
  for (const Part& part : parts) fmt::print(" {:8.1f}", part.nanoseconds);
  fmt::print("\n  {:18} {:9} MiB", "", "");
  for (const Part& part : parts) {
    fmt::print(" {:8.1f}", static_cast<double>(part.bytes) / (1 << 20));
    figures.push_back({{"analysis", name},
                       {"variables", variables},
                       {"events", part.events},
                       {"ns_per_event", part.nanoseconds},
                       {"shadow_bytes", part.bytes}});
  }
  fmt::print("\n");
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv,
      "How fast are races and possible conflicts found, and does that change in long traces?");
  const std::uint64_t scale = arguments.quick ? 20 : 1;
  const int rounds = arguments.quick ? 1 : 5;
  const std::uint64_t few = 10'000;
  const std::uint64_t many = 2'000'000 / scale;
  fmt::print("{}\n\n{} million events on one CPU, the median of {} rounds\n\n", describe_machine(),
             10.0 / static_cast<double>(scale), rounds);
  fmt::print("  {:18} {:>9} {:>12} {:>10} {:>14} {:>10}\n", "", "variables", "M events/s",
             "ns/event", "bytes/variable", "found");

  Json speed;
  for (const std::uint64_t variables : {few, many}) {
    speed.push_back(measure_speed<RaceDetector>("races", variables, 10'000'000 / scale, rounds));
    speed.push_back(
        measure_speed<ConflictFinder>("possible conflicts", variables, 10'000'000 / scale, rounds));
  }

  std::vector<std::uint64_t> lengths;
  fmt::print("\nTime per event and memory up to so many million events\n\n  {:31}", "");
  for (const std::uint64_t length : {1, 2, 5, 10, 20, 30, 40, 50}) {
    lengths.push_back(length * 1'000'000 / scale);
    fmt::print(" {:8}", static_cast<double>(lengths.back()) / 1e6);
  }
  fmt::print("\n");
  Json growth;
  for (const std::uint64_t variables : {few, many}) {
    growth.push_back(measure_growth<RaceDetector>("races", variables, lengths));
    growth.push_back(measure_growth<ConflictFinder>("possible conflicts", variables, lengths));
  }
  write_json(arguments, "races", {{"speed", speed}, {"growth", growth}});
}
