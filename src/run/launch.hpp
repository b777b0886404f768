/// Starts the program with the runtime injected, the same way every time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/environment.hpp"
#include "data/program.hpp"
#include "run/child.hpp"

namespace unravel {

class Sandbox;

struct Launch {
  const Program* program = nullptr;
  const Environment* environment = nullptr;
  std::string runtime;         // absolute path of the library to inject
  std::string standard_input;  // a file; empty: nothing to read
  int channel = -1;
  int output = -1;
  int error_output = -1;
  int cpu = 0;
  const Sandbox* sandbox = nullptr;  // none: it sees what we see
};

struct Launched {
  Child child;
  bool addresses_fixed = false;
  bool pinned = false;
  std::uint32_t limits_refused = 0;  // a bit for each resource
};

/// The program dies with the thread that calls this.
Result<Launched> launch(const Launch& what);

/// The runtime comes under two names: the second stands in for GCC's own ThreadSanitizer library in
/// programs that ask for that.
enum class RuntimeFor { kAny, kThreadSanitizerBuild };

/// The runtime's file: beside this executable as installed or built, or as UNRAVEL_RUNTIME says.
Result<std::string> find_runtime(RuntimeFor program = RuntimeFor::kAny);

/// What the program gets: `environment` without what is meant for the driver, with the runtime
/// added. Depends on nothing but its arguments, so that the program's stack starts at the same
/// place.
std::vector<std::string> program_environment(std::span<const std::string> environment,
                                             std::string_view runtime);

/// One CPU of those that this process may use. Different processes, and different calls, tend to
/// get different ones.
int choose_cpu();
std::vector<int> usable_cpus();

}  // namespace unravel
