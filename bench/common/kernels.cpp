#include "common/kernels.hpp"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "common/programs.hpp"

namespace unravel::bench {

std::vector<Kernel> kernels(const Arguments& arguments) {
  const std::uint64_t shrink = arguments.quick ? 4 : 1;
  return {{"hash_table", 400'000 / shrink},
          {"matrix", 320 / shrink},
          {"quicksort", 1'000'000 / shrink}};
}

std::vector<std::string> kernel_command(const Kernel& kernel, const std::string& how) {
  return {program_path(kernel.name + how), std::to_string(kernel.work)};
}

double kernel_time(const std::string& output, std::string& result) {
  const std::size_t space = output.find(' ');
  if (space == std::string::npos) give_up("a kernel wrote '" + output + "'");
  if (result.empty()) result = output.substr(space);
  if (output.substr(space) != result) give_up("a kernel's result is not always the same");
  return std::atof(output.c_str());
}

double geometric_mean(const std::vector<double>& values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0,
                                     [](double so_far, double v) { return so_far + std::log(v); });
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace unravel::bench
