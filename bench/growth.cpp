// Do points and switches cost the same with many threads and in long runs?
//
// Time of one point without a switch and of one switch, for 2 to 100 live threads and 10^3 to
// 10^7 points; switches up to 10^6, which the driver keeps in memory as slices. Beside each, the
// bare futex hand-over in a ring of as many threads.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "common/arguments.hpp"
#include "common/measure.hpp"
#include "common/programs.hpp"
#include "common/report.hpp"

using namespace unravel;
using namespace unravel::bench;

namespace {

constexpr std::uint64_t kPointsPerPair = 3;

std::vector<std::uint64_t> powers_of_ten(int first, int last) {
  std::vector<std::uint64_t> powers;
  for (int i = first; i <= last; ++i) powers.push_back(static_cast<std::uint64_t>(std::pow(10, i)));
  return powers;
}

/// Nanoseconds for each of `count` points or switches, the median of some runs.
double measure(const std::string& what, int threads, std::uint64_t count, int rounds,
               const TemporaryDirectory& scratch) {
  const std::uint64_t times = what == "lock" ? count / kPointsPerPair : count;
  const auto runner = start_controlled(
      {program_path("points"), what, std::to_string(threads), std::to_string(times)}, scratch);
  const auto shares = times / static_cast<std::uint64_t>(threads);
  const auto done = static_cast<double>(shares) * threads * (what == "lock" ? kPointsPerPair : 1);
  // A long run is an average in itself; of short ones some are disturbed.
  const int repeated = count >= 1'000'000 ? 1 : count >= 100'000 ? rounds : 5 * rounds;
  std::vector<double> samples;
  for (int i = 0; i < repeated; ++i) {
    const Run run = run_by_rule(*runner, wire::RuleKind::kStay);
    samples.push_back(std::atof(run.output.c_str()) / done);
  }
  return median(samples);
}

void print_head(const std::string& what, const std::vector<std::uint64_t>& counts,
                const std::string& rest) {
  fmt::print("\n{}\n\n  threads", what);
  for (const std::uint64_t count : counts) {
    fmt::print(" {:>8}", fmt::format("10^{:.0f}", std::log10(count)));
  }
  fmt::print(" {}\n", rest);
}

const std::vector<int> kThreads = {2, 5, 10, 20, 50, 100};

Json measure_points(const std::vector<std::uint64_t>& counts, int rounds,
                    const TemporaryDirectory& scratch) {
  print_head("Nanoseconds per point without a switch, by points in the run", counts,
             "  most/least");
  Json figures;
  for (const int threads : kThreads) {
    fmt::print("  {:7}", threads);
    std::vector<double> row;
    for (const std::uint64_t count : counts) {
      row.push_back(measure("lock", threads, count, rounds, scratch));
      fmt::print(" {:8.1f}", row.back());
      figures.push_back({{"threads", threads}, {"points", count}, {"ns", row.back()}});
    }
    const auto [least, most] = std::minmax_element(row.begin(), row.end());
    fmt::print(" {:12.2f}\n", *most / *least);
  }
  return figures;
}

Json measure_switches(const std::vector<std::uint64_t>& counts, int rounds,
                      const TemporaryDirectory& scratch) {
  print_head("Nanoseconds per switch and, below it, per hand-over in a bare ring", counts,
             "      ratio");
  Json figures;
  for (const int threads : kThreads) {
    std::vector<double> row, bare;
    fmt::print("  {:7}", threads);
    for (const std::uint64_t count : counts) {
      row.push_back(measure("yield", threads, count, rounds, scratch));
      bare.push_back(bare_hand_over(static_cast<std::uint32_t>(threads), count));
      fmt::print(" {:8.0f}", row.back());
      figures.push_back({{"threads", threads},
                         {"switches", count},
                         {"ns", row.back()},
                         {"bare_ns", bare.back()}});
    }
    fmt::print(" {:12.2f}\n         ", median_ratio(row, bare));
    for (const double one : bare) fmt::print(" {:8.0f}", one);
    fmt::print("\n");
  }
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(
      argc, argv, "Do points and switches cost the same with many threads and in long runs?");
  leave_measured_cpu();
  const TemporaryDirectory scratch;
  const int rounds = arguments.quick ? 1 : 3;
  fmt::print("{}\n", describe_machine());
  Json points = measure_points(powers_of_ten(3, arguments.quick ? 5 : 7), rounds, scratch);
  Json switches = measure_switches(powers_of_ten(3, arguments.quick ? 5 : 6), rounds, scratch);
  write_json(arguments, "growth", {{"points", points}, {"switches", switches}});
}
