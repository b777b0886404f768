// What does a run cost beside the least that it could: an uncontrolled forked child that makes
// the same threads and the same number of hand-overs?
//
// The program (bench/programs/forked) is main and some threads, each of which locks and unlocks
// one mutex four times; three threads make some 50 points. Everything is pinned to one CPU, and
// each round measures every kind of run once, as a batch. A run's parts are the differences
// between programs that do more and more of it. Processor time leaves out what else the machine
// does meanwhile; real time is what a user waits for.
#include <fmt/core.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"
#include "data/decisions.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

constexpr int kPairs = 4;

/// Runs of one kind: nanoseconds per run.
struct Times {
  std::vector<double> real;  // one for each round
  double processor = 0;      // over all of them
};

/// Controlled runs of one program under one rule.
class Controlled {
 public:
  Controlled(const std::string& level, int threads, int pairs, wire::RuleKind rule,
             const TemporaryDirectory& scratch, TraceSink* decisions = nullptr)
      : runner_(start_controlled(
            {program_path("forked"), level, std::to_string(threads), std::to_string(pairs)},
            scratch)),
        rule_(rule),
        decisions_(decisions) {}

  void measure(std::uint64_t runs, std::uint64_t batches = 1);

  /// Processor time is known once the program has ended, with its start-up, which some thousand
  /// runs share.
  Times end() {
    const double before = children_processor_nanoseconds();
    runner_.reset();
    times_.processor = (children_processor_nanoseconds() - before) / runs_;
    return times_;
  }

  double points() const { return points_ / runs_; }
  double switches() const { return switches_ / runs_; }
  /// Real nanoseconds of a run that are not between fork and collection.
  double outside_server() const { return (took_ - in_server_) / runs_; }

 private:
  std::unique_ptr<Runner> runner_;
  wire::RuleKind rule_;
  TraceSink* decisions_;  // receives the decisions of its runs; null: they are not recorded
  Times times_;
  double runs_ = 0, points_ = 0, switches_ = 0, took_ = 0, in_server_ = 0;
};

void Controlled::measure(std::uint64_t runs, std::uint64_t batches) {
  BatchRequest request;
  request.master_seed = 1;
  request.rule.kind = rule_;
  request.rule.switch_probability = wire::kCertain;
  request.decisions = decisions_;
  request.count = 1;
  if (runs_ == 0) must(runner_->run_batch(request));  // starts the program
  request.count = runs / batches;
  double took = 0;
  for (std::uint64_t batch = 0; batch < batches; ++batch) {
    request.first_ordinal = static_cast<std::uint64_t>(runs_);
    BatchResult result;
    took += nanoseconds_of([&] { result = must(runner_->run_batch(request)); });
    for (const RunSummary& run : result.runs) {
      // Without a thread there is nothing to interleave, but as much to start and to end.
      const bool ended_well =
          run.outcome == Outcome::kPassed || run.reason == Reason::kNoSecondThread;
      if (!ended_well) give_up("a run of a correct program did not pass");
      in_server_ += run.seconds * 1e9;
      points_ += static_cast<double>(run.steps);
      switches_ += static_cast<double>(run.switches);
      runs_ += 1;
    }
  }
  took_ += took;
  times_.real.push_back(took / static_cast<double>(request.count * batches));
}

/// Forked children of the same program without control.
class Uncontrolled {
 public:
  Uncontrolled(std::string level, int threads) : level_(std::move(level)), threads_(threads) {}

  void measure(std::uint64_t runs, double hand_overs) {
    const auto whole = static_cast<std::uint64_t>(hand_overs + 0.5);
    const double before = children_processor_nanoseconds();
    times_.real.push_back(std::atof(
        run_uncontrolled({program_path("forked"), "uncontrolled", level_, std::to_string(threads_),
                          std::to_string(whole), std::to_string(runs)})
            .c_str()));
    processor_ += children_processor_nanoseconds() - before;
    runs_ += static_cast<double>(runs);
  }

  Times end() const { return {times_.real, processor_ / runs_}; }

 private:
  std::string level_;
  int threads_;
  Times times_;
  double processor_ = 0, runs_ = 0;
};

/// One row of the breakdown: what this part adds to the row above, on both sides.
void print_part(const std::string& part, double controlled, double before, double uncontrolled,
                double uncontrolled_before) {
  fmt::print("  {:<34} {:8.0f} {:+8.0f}   {:8.0f} {:+8.0f}\n", part, controlled / 1000,
             (controlled - before) / 1000, uncontrolled / 1000,
             (uncontrolled - uncontrolled_before) / 1000);
}

Json measure_parts(const TemporaryDirectory& scratch, int rounds, std::uint64_t runs) {
  constexpr auto kStay = wire::RuleKind::kStay, kRandom = wire::RuleKind::kRandom;
  Controlled nothing("nothing", 3, 0, kStay, scratch), create("create", 3, 0, kStay, scratch);
  Controlled join("join", 3, 0, kStay, scratch), points("work", 3, kPairs, kStay, scratch);
  Controlled whole("work", 3, kPairs, kRandom, scratch), alone("work", 3, kPairs, kRandom, scratch);
  Uncontrolled bare_nothing("nothing", 3), bare_create("create", 3), bare_join("join", 3);
  Uncontrolled bare_whole("work", 3);
  for (int i = 0; i < rounds; ++i) {
    whole.measure(runs);
    bare_whole.measure(runs, whole.switches());
    for (Controlled* each : {&nothing, &create, &join, &points}) each->measure(runs);
    for (Uncontrolled* each : {&bare_nothing, &bare_create, &bare_join}) each->measure(runs, 0);
    alone.measure(runs / 4, runs / 4);
  }

  const Times run = whole.end(), child = bare_whole.end();
  const double ratio = run.processor / child.processor;
  const double real_ratio = median_ratio(run.real, child.real);
  fmt::print(
      "Three threads, {:.0f} points, {:.0f} switches; {} rounds of {} runs, microseconds:\n\n",
      whole.points(), whole.switches(), rounds, runs);
  fmt::print("  {:<34} {:>12} {:>12} {:>8}\n", "", "controlled", "uncontrolled", "ratio");
  fmt::print("  {:<34} {:12.0f} {:12.0f} {:8.2f}  (at most 2 is wanted)\n",
             "processor time of a run", run.processor / 1000, child.processor / 1000, ratio);
  fmt::print("  {:<34} {:12.0f} {:12.0f} {:8.2f}\n\n", "real time of a run, median",
             median(run.real) / 1000, median(child.real) / 1000, real_ratio);

  const double t0 = nothing.end().processor, t1 = create.end().processor;
  const double t2 = join.end().processor, t3 = points.end().processor;
  const double u0 = bare_nothing.end().processor, u1 = bare_create.end().processor;
  const double u2 = bare_join.end().processor;
  fmt::print("  {:<34} {:>17}   {:>17}\n", "processor time, part by part", "controlled",
             "uncontrolled");
  print_part("fork, exit, collection", t0, 0, u0, 0);
  print_part("+ three threads created", t1, t0, u1, u0);
  print_part("+ they end and are joined", t2, t1, u2, u1);
  print_part(fmt::format("+ points, {:.0f} switches in all", points.switches()), t3, t2, u2, u2);
  print_part(fmt::format("+ {:.0f} switches in all", whole.switches()), run.processor, t3,
             child.processor, u2);
  const double outside = whole.outside_server() / 1000;
  const double conversation = (median(alone.end().real) - median(run.real)) / 1000;
  fmt::print("\n  real time outside fork .. collection, in a batch of {}: {:.1f}\n", runs, outside);
  fmt::print("  real time more, if every run is a batch of its own: {:.0f}\n\n", conversation);
  return {{"points", whole.points()},
          {"switches", whole.switches()},
          {"controlled_us", run.processor / 1000},
          {"uncontrolled_us", child.processor / 1000},
          {"ratio", ratio},
          {"real_ratio", real_ratio},
          {"controlled_real_us", median(run.real) / 1000},
          {"uncontrolled_real_us", median(child.real) / 1000},
          {"parts_us",
           {{"fork", {t0 / 1000, u0 / 1000}},
            {"create", {(t1 - t0) / 1000, (u1 - u0) / 1000}},
            {"end", {(t2 - t1) / 1000, (u2 - u1) / 1000}},
            {"points", {(t3 - t2) / 1000, 0}},
            {"switches", {(run.processor - t3) / 1000, (child.processor - u2) / 1000}},
            {"outside_server", outside},
            {"batch_per_run", conversation}}}};
}

Json measure_threads(int threads, const TemporaryDirectory& scratch, int rounds,
                     std::uint64_t runs) {
  Controlled work("work", threads, kPairs, wire::RuleKind::kRandom, scratch);
  Uncontrolled bare("work", threads);
  for (int round = 0; round < rounds; ++round) {
    work.measure(runs);
    bare.measure(runs, work.switches());
  }
  const Times run = work.end(), child = bare.end();
  const double ratio = run.processor / child.processor;
  fmt::print("  {:7} {:8.0f} {:8.0f} {:12.0f} {:12.0f} {:8.2f} {:12.0f} {:12.0f}\n", threads,
             work.points(), work.switches(), 1e9 / run.processor, 1e9 / child.processor, ratio,
             1e9 / median(run.real), 1e9 / median(child.real));
  return {{"threads", threads},
          {"points", work.points()},
          {"switches", work.switches()},
          {"runs_per_processor_second", 1e9 / run.processor},
          {"uncontrolled_per_processor_second", 1e9 / child.processor},
          {"ratio", ratio},
          {"runs_per_second", 1e9 / median(run.real)},
          {"uncontrolled_per_second", 1e9 / median(child.real)}};
}

Json measure_decisions(const TemporaryDirectory& scratch, int rounds, std::uint64_t runs) {
  DecisionDecoder decoder;
  constexpr auto kRandom = wire::RuleKind::kRandom;
  Controlled without("work", 3, kPairs, kRandom, scratch);
  Controlled with("work", 3, kPairs, kRandom, scratch, &decoder);
  double recorded = 0;
  for (int i = 0; i < rounds; ++i) {
    without.measure(runs);
    decoder.begin();
    with.measure(runs);
    for (const RunDecisions& run : decoder.runs()) {
      recorded += static_cast<double>(run.decisions.size());
    }
  }
  const Times plain = without.end(), told = with.end();
  const double ratio = told.processor / plain.processor;
  const double real_ratio = median_ratio(told.real, plain.real);
  const double each = recorded / (static_cast<double>(runs) * rounds);
  fmt::print("\nDecisions of the first program are recorded, {:.0f} of a run, microseconds:\n\n",
             each);
  fmt::print("  {:<34} {:>12} {:>12} {:>8}\n", "", "recorded", "not recorded", "ratio");
  fmt::print("  {:<34} {:12.0f} {:12.0f} {:8.2f}  (at most 1.3 is wanted)\n",
             "processor time of a run", told.processor / 1000, plain.processor / 1000, ratio);
  fmt::print("  {:<34} {:12.0f} {:12.0f} {:8.2f}\n", "real time with decoding, median",
             median(told.real) / 1000, median(plain.real) / 1000, real_ratio);
  return {{"decisions", each}, {"ratio", ratio}, {"real_ratio", real_ratio}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "What does a run cost beside an uncontrolled forked child that does the same?");
  leave_measured_cpu();
  const TemporaryDirectory scratch;
  const int rounds = arguments.quick ? 3 : 15;
  const std::uint64_t runs = arguments.quick ? 100 : 400;
  fmt::print("{}\n\n", describe_machine());
  Json figures = measure_parts(scratch, rounds, runs);

  fmt::print("Runs per second, a switch at every point with probability 1:\n\n");
  fmt::print("  {:>25} {:^34} {:^25}\n", "", "processor time", "real time");
  fmt::print("  {:>7} {:>8} {:>8} {:>12} {:>12} {:>8} {:>12} {:>12}\n", "threads", "points",
             "switches", "controlled", "uncontrolled", "ratio", "controlled", "uncontrolled");
  for (const int threads : {3, 10, 100}) {
    const std::uint64_t fewer = runs / static_cast<std::uint64_t>(threads) + 5;
    figures["by_threads"].push_back(measure_threads(threads, scratch, rounds, fewer));
  }
  figures["decisions"] = measure_decisions(scratch, rounds, runs);
  write_json(arguments, "restart", figures);
}
