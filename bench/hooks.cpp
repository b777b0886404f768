// What do the hooks of instrumented programs cost, beside ThreadSanitizer itself?
//
// Three kernels, each built plainly, for GCC's ThreadSanitizer and by unravel-c++. In rounds, all
// on one CPU: the plain build; the ThreadSanitizer build with its own library; the same file under
// control with points at synchronisation, with points at memory accesses too, and with those of the
// set auto, none of which is marked, so that this is what it costs to look whether one is; and what
// unravel-c++ built with points at function entries and loops. Always under the rule stay. The
// kernels time themselves.
#include <fmt/core.h>

#include <vector>

#include "common/arguments.hpp"
#include "common/kernels.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

enum Way { kPlain, kThreadSanitizer, kSync, kMemory, kAuto, kCalls, kWays };

/// Of one kernel. Times are nanoseconds, one per round; empty: that way is refused.
struct Samples {
  std::vector<double> times[kWays];
  std::uint64_t hooks = 0;  // that the ThreadSanitizer build makes
  std::uint64_t calls = 0;  // points of what unravel-c++ built, if that is not refused
};

Samples measure(const Kernel& kernel, int rounds, std::string& calls_refused) {
  const TemporaryDirectory scratch;
  const auto plain = kernel_command(kernel, "_plain");
  const auto for_tsan = kernel_command(kernel, "_tsan");
  const auto for_unravel = kernel_command(kernel, "_unravel");
  if (calls_refused.empty()) calls_refused = why_refused("calls", for_unravel, scratch);

  const auto sync = start_controlled(for_tsan, scratch, wire::PointSet::kSync);
  const auto memory = start_controlled(for_tsan, scratch, wire::PointSet::kMemory);
  const auto marked = start_controlled(for_tsan, scratch, wire::PointSet::kAuto);
  const auto calls = calls_refused.empty()
                         ? start_controlled(for_unravel, scratch, wire::PointSet::kCalls)
                         : nullptr;
  Samples samples;
  std::string result;
  const auto take = [&](Way way, const std::string& output) {
    samples.times[way].push_back(kernel_time(output, result));
  };
  for (int round = 0; round < rounds; ++round) {
    take(kPlain, run_uncontrolled(plain));
    take(kThreadSanitizer, run_uncontrolled(for_tsan));
    take(kSync, run_by_rule(*sync, wire::RuleKind::kStay).output);
    const Run run = run_by_rule(*memory, wire::RuleKind::kStay);
    take(kMemory, run.output);
    samples.hooks = run.summary.steps;
    take(kAuto, run_by_rule(*marked, wire::RuleKind::kStay).output);
    if (!calls) continue;
    const Run called = run_by_rule(*calls, wire::RuleKind::kStay);
    take(kCalls, called.output);
    samples.calls = called.summary.steps;
  }
  return samples;
}

/// How many times as long as plainly, for each way.
std::vector<double> slow_downs(const Samples& samples) {
  std::vector<double> ratios;
  for (const auto& times : samples.times) {
    ratios.push_back(median_ratio(times, samples.times[kPlain]));
  }
  return ratios;
}

double per_hook(const Samples& samples, Way way) {
  return (median(samples.times[way]) - median(samples.times[kPlain])) /
         static_cast<double>(samples.hooks);
}

double over_thread_sanitizer(const Samples& samples, Way way) {
  return median_ratio(samples.times[way], samples.times[kThreadSanitizer]);
}

Json print_row(const Kernel& kernel, const Samples& samples) {
  const std::vector<double> ratios = slow_downs(samples);
  const bool has_calls = !samples.times[kCalls].empty();
  fmt::print(
      "  {:<12}{:>8.1f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8.2f}{:>8}{:>11.2f}{:>9.2f}{:>9.1f}{:>8.2f}\n",
      kernel.name, median(samples.times[kPlain]) / 1e6, ratios[kThreadSanitizer], ratios[kSync],
      ratios[kMemory], ratios[kAuto], has_calls ? fmt::format("{:.2f}", ratios[kCalls]) : "-",
      over_thread_sanitizer(samples, kSync), over_thread_sanitizer(samples, kMemory),
      static_cast<double>(samples.hooks) / 1e6, per_hook(samples, kMemory));
  Json row = {{"kernel", kernel.name},
              {"plain_ns", median(samples.times[kPlain])},
              {"thread_sanitizer", ratios[kThreadSanitizer]},
              {"sync", ratios[kSync]},
              {"memory", ratios[kMemory]},
              {"auto", ratios[kAuto]},
              {"sync_over_thread_sanitizer", over_thread_sanitizer(samples, kSync)},
              {"memory_over_thread_sanitizer", over_thread_sanitizer(samples, kMemory)},
              {"hooks", samples.hooks},
              {"sync_ns_per_hook", per_hook(samples, kSync)},
              {"memory_ns_per_hook", per_hook(samples, kMemory)}};
  if (has_calls) row.update({{"calls", ratios[kCalls]}, {"calls_points", samples.calls}});
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "What do the hooks of instrumented programs cost, beside ThreadSanitizer?");
  leave_measured_cpu();
  const int rounds = arguments.quick ? 3 : 15;
  fmt::print("{}; {} rounds\n\n", describe_machine(), rounds);
  fmt::print(
      "                 plain          times as long as plain         over ThreadSanitizer"
      "   hooks      ns\n");
  fmt::print(
      "                    ms    TSan    sync  memory    auto   calls       sync   memory"
      "       10^6    each\n");
  std::string calls_refused;
  std::vector<double> sync, memory;
  Json rows = Json::array();
  for (const Kernel& kernel : kernels(arguments)) {
    const Samples samples = measure(kernel, rounds, calls_refused);
    rows.push_back(print_row(kernel, samples));
    sync.push_back(over_thread_sanitizer(samples, kSync));
    memory.push_back(over_thread_sanitizer(samples, kMemory));
  }
  fmt::print("  geometric mean{:>57.2f}{:>9.2f}   (at most 0.55 is wanted, of each at most 0.7)\n",
             geometric_mean(sync), geometric_mean(memory));
  if (!calls_refused.empty()) fmt::print("\ncalls are left out: {}\n", calls_refused);
  write_json(arguments, "hooks",
             {{"rounds", rounds},
              {"kernels", rows},
              {"sync_over_thread_sanitizer", geometric_mean(sync)},
              {"memory_over_thread_sanitizer", geometric_mean(memory)}});
}
