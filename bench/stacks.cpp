// How long does it take to read the stacks of a program that stands still, with many threads?
//
// A program whose threads all want a lock that main holds ends in a deadlock, at which every stack
// is read; the same program, whose main gives the lock back, passes, and none is. Both are run in
// rounds, and the difference is told.
#include <fmt/core.h>

#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

double milliseconds_of_run(Runner& runner, Outcome expected, std::size_t stacks) {
  RunRequest request;
  request.schedule.then.kind = wire::RuleKind::kStay;
  Run run;
  const double took = nanoseconds_of([&] { run = must(runner.run(request)); });
  if (run.summary.outcome != expected) give_up("the run ended otherwise: " + run.explanation);
  const std::size_t read = run.failure ? run.failure->threads.size() : 0;
  if (read != stacks) give_up(fmt::format("{} stacks were read where {} are", read, stacks));
  for (std::size_t i = 0; i < read; ++i) {
    if (run.failure->threads[i].stack.empty()) give_up(fmt::format("T{} has no stack", i));
  }
  return took / 1e6;
}

Json measure(std::uint32_t threads, int rounds) {
  const TemporaryDirectory scratch;
  const std::string path = program_path("all_wait"), count = std::to_string(threads);
  const auto passes = start_controlled({path, count, "pass"}, scratch);
  const auto hangs = start_controlled({path, count, "hang"}, scratch);
  std::vector<double> passing, hanging;
  for (int round = 0; round < rounds; ++round) {
    passing.push_back(milliseconds_of_run(*passes, Outcome::kPassed, 0));
    hanging.push_back(milliseconds_of_run(*hangs, Outcome::kFailed, threads + 1));
  }
  const double more = median(hanging) - median(passing);
  fmt::print("  {:7} {:12.0f} {:12.0f} {:12.0f} {:14.1f}\n", threads, median(passing),
             median(hanging), more, more * 1e3 / threads);
  return {{"threads", threads},
          {"passes_ms", median(passing)},
          {"deadlocks_ms", median(hanging)},
          {"stacks_ms", more}};
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments =
      parse_arguments(argc, argv, "How long does it take to read the stacks of many threads?");
  leave_measured_cpu();
  fmt::print(
      "{}\n\nReal time of a run, milliseconds (the stacks of 4,096 threads in less than 5,000 "
      "are wanted):\n\n",
      describe_machine());
  fmt::print("  {:>7} {:>12} {:>12} {:>12} {:>14}\n", "threads", "it passes", "it hangs", "stacks",
             "µs a stack");
  Json figures;
  for (const std::uint32_t threads : {100u, 1000u, 4000u}) {
    figures["stacks"].push_back(measure(threads, arguments.quick ? 1 : 5));
  }
  write_json(arguments, "stacks", figures);
}
