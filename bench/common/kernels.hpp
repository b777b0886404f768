/// The kernels of bench/programs: each built plainly, for GCC's ThreadSanitizer and by unravel-c++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/arguments.hpp"

namespace unravel::bench {

struct Kernel {
  std::string name;
  std::uint64_t work;
};

std::vector<Kernel> kernels(const Arguments& arguments);

/// `how` it was built: "_plain", "_tsan" or "_unravel".
std::vector<std::string> kernel_command(const Kernel& kernel, const std::string& how);

/// What a kernel writes: its time in nanoseconds and its result, which is the same every time.
double kernel_time(const std::string& output, std::string& result);

double geometric_mean(const std::vector<double>& values);

}  // namespace unravel::bench
