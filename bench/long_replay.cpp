// How long does a strict replay of a long schedule take, beside hooks that return at once?
//
// A program is made to pass fifty million points, and run under the random rule with a probability
// that gives about three thousand switches. What was recorded is replayed strictly, in rounds with
// the same file on the same CPU with the runtime loaded but nobody to control it: then its hooks do
// nothing. With points at function entries and loops, and with points at memory accesses.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"
#include "run/launch.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

struct Work {
  std::uint64_t points;
  std::uint64_t switches;
  int rounds;
};

struct Points {
  std::string name;
  wire::PointSet set;
};

std::vector<std::string> command_of(std::uint64_t rounds) {
  return {program_path("long_run_unravel"), std::to_string(rounds)};
}

std::string result_of(const std::string& output) { return output.substr(output.find(' ')); }

/// How many rounds of the program's loop make that many points: as many as there are, whatever
/// the compiler made of it.
std::uint64_t rounds_for(std::uint64_t points, wire::PointSet set,
                         const TemporaryDirectory& scratch) {
  constexpr std::uint64_t kTried = 20'000;
  const auto runner = start_controlled(command_of(kTried), scratch, set);
  const std::uint64_t steps = run_by_rule(*runner, wire::RuleKind::kStay).summary.steps;
  if (steps < kTried) {
    give_up(fmt::format("{} rounds of the program made only {} points", kTried, steps));
  }
  return points * kTried / steps;
}

/// Of the probabilities there are, the one whose run comes nearest to the number of switches.
Run record(Runner& runner, const Work& work) {
  const double wanted = static_cast<double>(work.switches) / static_cast<double>(work.points);
  const auto guess = static_cast<std::uint32_t>(std::lround(wanted * wire::kCertain));
  const auto distance = [&](const Run& run) {
    return std::abs(static_cast<double>(run.summary.switches) - static_cast<double>(work.switches));
  };
  Run nearest;
  for (std::uint32_t probability = std::max(guess, 3u) - 2; probability <= guess + 4;
       ++probability) {
    RunRequest request;
    request.schedule.then.kind = wire::RuleKind::kRandom;
    request.schedule.then.seed = 1;
    request.schedule.then.switch_probability = probability;
    Run run = run_passing(runner, request);
    if (nearest.output.empty() || distance(run) < distance(nearest)) nearest = std::move(run);
  }
  if (distance(nearest) > 0.2 * static_cast<double>(work.switches)) {
    give_up(fmt::format("{} switches happened where {} were wanted", nearest.summary.switches,
                        work.switches));
  }
  return nearest;
}

void check_same(const Run& recorded, const Run& replayed) {
  if (replayed.summary.schedule_hash != recorded.summary.schedule_hash ||
      replayed.schedule.slices != recorded.schedule.slices ||
      replayed.summary.steps != recorded.summary.steps ||
      result_of(replayed.output) != result_of(recorded.output)) {
    give_up("a replay was not the same as its recording");
  }
}

Json measure(const Points& points, const Work& work) {
  const TemporaryDirectory scratch;
  if (const auto why = why_refused(points.name, command_of(1), scratch); !why.empty()) {
    fmt::print("{}: left out: {}\n\n", points.name, why);
    return {{"points", points.name}, {"refused", why}};
  }
  const auto command = command_of(rounds_for(work.points, points.set, scratch));
  const auto runner = start_controlled(command, scratch, points.set);
  const Run recorded = record(*runner, work);
  RunRequest replay;
  replay.schedule = recorded.schedule;
  replay.following = wire::Following::kStrict;
  const std::string preload = "LD_PRELOAD=" + must(find_runtime());

  std::vector<double> native, replayed;
  for (int round = 0; round < work.rounds; ++round) {
    const std::string output = run_uncontrolled(command, {preload});
    native.push_back(std::atof(output.c_str()));
    const Run run = run_passing(*runner, replay);
    check_same(recorded, run);
    replayed.push_back(std::atof(run.output.c_str()));
    if (result_of(output) != result_of(run.output)) give_up("the result depends on the schedule");
  }
  const RunSummary& summary = recorded.summary;
  const double ratio = median_ratio(replayed, native);
  fmt::print("{}: {} points, {} switches\n", points.name, summary.steps, summary.switches);
  fmt::print("  hooks that return at once  {:8.1f} ms\n", median(native) / 1e6);
  fmt::print("  strict replay              {:8.1f} ms\n", median(replayed) / 1e6);
  fmt::print("  ratio                      {:8.2f}      (at most 1.5 is wanted)\n\n", ratio);
  return {{"points", points.name},           {"steps", summary.steps},
          {"switches", summary.switches},    {"uncontrolled_ns", median(native)},
          {"replayed_ns", median(replayed)}, {"ratio", ratio}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "How long does a strict replay of a long schedule take?");
  leave_measured_cpu();
  const Work work = arguments.quick ? Work{5'000'000, 300, 3} : Work{50'000'000, 3'000, 15};
  fmt::print("{}; {} rounds\n\n", describe_machine(), work.rounds);
  Json rows = Json::array();
  for (const Points& points :
       {Points{"calls", wire::PointSet::kCalls}, Points{"memory", wire::PointSet::kMemory}}) {
    rows.push_back(measure(points, work));
  }
  write_json(arguments, "long_replay", {{"rounds", work.rounds}, {"replays", rows}});
}
