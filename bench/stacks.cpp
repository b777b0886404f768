// How long does it take to read the stacks of a program that stands still, with many threads?
//
// A program whose threads all want a lock that main holds ends in a deadlock, at which every stack
// is read; the same program, whose main gives the lock back, passes, and none is. Both are run in
// rounds, and the difference is told: of the processor time of this process, which reads them, and
// of real time, which on a busy machine is more.
#include <fmt/core.h>

#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

/// Milliseconds of each run.
struct Cost {
  std::vector<double> processor;
  std::vector<double> real;
};

void measure_run(Runner& runner, Outcome expected, std::size_t stacks, Cost& cost) {
  RunRequest request;
  request.schedule.then.kind = wire::RuleKind::kStay;
  Run run;
  const std::uint64_t before = processor_nanoseconds();
  cost.real.push_back(nanoseconds_of([&] { run = must(runner.run(request)); }) / 1e6);
  cost.processor.push_back(static_cast<double>(processor_nanoseconds() - before) / 1e6);
  if (run.summary.outcome != expected) give_up("the run ended otherwise: " + run.explanation);
  const std::size_t read = run.failure ? run.failure->threads.size() : 0;
  if (read != stacks) give_up(fmt::format("{} stacks were read where {} are", read, stacks));
  for (std::size_t i = 0; i < read; ++i) {
    if (run.failure->threads[i].stack.empty()) give_up(fmt::format("T{} has no stack", i));
  }
}

Json measure(std::uint32_t threads, int rounds) {
  const TemporaryDirectory scratch;
  const std::string path = program_path("all_wait"), count = std::to_string(threads);
  const auto passes = start_controlled({path, count, "pass"}, scratch);
  const auto hangs = start_controlled({path, count, "hang"}, scratch);
  Cost passing, hanging;
  for (int round = 0; round < rounds; ++round) {
    measure_run(*passes, Outcome::kPassed, 0, passing);
    measure_run(*hangs, Outcome::kFailed, threads + 1, hanging);
  }
  const double processor = median(hanging.processor) - median(passing.processor);
  const double real = median(hanging.real) - median(passing.real);
  fmt::print("  {:7} {:16.0f} {:12.1f} {:12.0f}\n", threads, processor, processor * 1e3 / threads,
             real);
  return {{"threads", threads}, {"processor_ms", processor}, {"real_ms", real}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "How long does it take to read the stacks of many threads?");
  leave_measured_cpu();
  fmt::print("{}\n\n", describe_machine());
  fmt::print("Milliseconds (the stacks of 4,096 threads in less than 5,000 are wanted):\n\n");
  fmt::print("  {:>7} {:>16} {:>12} {:>12}\n", "threads", "processor time", "µs a stack",
             "real time");
  Json figures;
  for (const std::uint32_t threads : {100u, 1000u, 4000u}) {
    figures["stacks"].push_back(measure(threads, arguments.quick ? 1 : 5));
  }
  write_json(arguments, "stacks", figures);
}
