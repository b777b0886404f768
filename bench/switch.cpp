// What does one controlled switch cost beside a bare futex hand-over, and what a point without
// a switch?
//
// Rounds of five measurements, all on one CPU: bare hand-overs between two threads; the same
// number of controlled switches (two threads that yield to each other); lock and unlock without
// and with control (three points that do not switch), and with control but without the map of pairs
// of sites. Ratios are taken within a round.
#include <fmt/core.h>

#include <cstdlib>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

constexpr double kPointsPerPair = 3;  // before lock, before unlock, after unlock

/// Times of one kind, in nanoseconds, one per round.
struct Samples {
  std::vector<double> bare_switch, controlled_switch, native_pair, controlled_pair, unmapped_pair;
};

struct Work {
  std::uint64_t switches;
  std::uint64_t pairs;
  int rounds;
};

void check_switches(const RunSummary& summary, std::uint64_t wanted) {
  const auto switches = static_cast<double>(summary.switches);
  if (switches < 0.99 * static_cast<double>(wanted)) {
    give_up(fmt::format("{} switches happened where {} were wanted", summary.switches, wanted));
  }
}

Samples measure(const Work& work) {
  const TemporaryDirectory scratch;
  const std::vector<std::string> yield = {program_path("points"), "yield", "2",
                                          std::to_string(work.switches)};
  const std::vector<std::string> lock = {program_path("points"), "lock", "2",
                                         std::to_string(work.pairs)};
  const auto yielding = start_controlled(yield, scratch);
  const auto locking = start_controlled(lock, scratch);
  const auto switches = static_cast<double>(work.switches);
  const auto pairs = static_cast<double>(work.pairs);

  Samples samples;
  for (int round = 0; round < work.rounds; ++round) {
    samples.bare_switch.push_back(bare_hand_over(2, work.switches));
    const Run switched = run_by_rule(*yielding, wire::RuleKind::kStay);
    check_switches(switched.summary, work.switches);
    samples.controlled_switch.push_back(std::atof(switched.output.c_str()) / switches);
    samples.native_pair.push_back(std::atof(run_uncontrolled(lock).c_str()) / pairs);
    const Run stayed = run_by_rule(*locking, wire::RuleKind::kStay);
    samples.controlled_pair.push_back(std::atof(stayed.output.c_str()) / pairs);
    RunRequest unmapped;
    unmapped.pairs = false;
    samples.unmapped_pair.push_back(std::atof(run_passing(*locking, unmapped).output.c_str()) /
                                    pairs);
  }
  return samples;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "What does a controlled switch cost, and a point without a switch?");
  leave_measured_cpu();
  const Work work = arguments.quick ? Work{20'000, 200'000, 5} : Work{200'000, 2'000'000, 15};
  const Samples samples = measure(work);

  const double bare = median(samples.bare_switch);
  const double controlled = median(samples.controlled_switch);
  const double ratio = median_ratio(samples.controlled_switch, samples.bare_switch);
  const double native_pair = median(samples.native_pair);
  const double controlled_pair = median(samples.controlled_pair);
  const double point = (controlled_pair - native_pair) / kPointsPerPair;
  fmt::print("{}; {} rounds of {} switches, {} lock/unlock pairs\n\n", describe_machine(),
             work.rounds, work.switches, work.pairs);
  fmt::print("bare futex hand-over       {:8.0f} ns\n", bare);
  fmt::print("controlled switch          {:8.0f} ns\n", controlled);
  fmt::print("ratio                      {:8.2f}      (at most 1.5 is wanted)\n\n", ratio);
  fmt::print("lock + unlock, native      {:8.1f} ns\n", native_pair);
  fmt::print("lock + unlock, controlled  {:8.1f} ns\n", controlled_pair);
  const double map = (controlled_pair - median(samples.unmapped_pair)) / kPointsPerPair;
  fmt::print("point without a switch     {:8.1f} ns\n", point);
  fmt::print("  of it the map of pairs   {:8.1f} ns\n", map);
  write_json(arguments, "switch",
             {{"rounds", work.rounds},
              {"bare_switch_ns", bare},
              {"controlled_switch_ns", controlled},
              {"switch_ratio", ratio},
              {"native_pair_ns", native_pair},
              {"controlled_pair_ns", controlled_pair},
              {"point_ns", point},
              {"pair_map_ns", map}});
}
