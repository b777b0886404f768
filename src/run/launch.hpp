/// Starts the program with the runtime injected, in the same way every time.
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
  std::string standard_input;  // a file; empty: no input
  int channel = -1;
  int output = -1;
  int error_output = -1;
  int cpu = 0;
  const Sandbox* sandbox = nullptr;  // null: it sees the driver's own files
};

struct Launched {
  Child child;
  bool addresses_fixed = false;
  bool pinned = false;
  std::uint32_t limits_refused = 0;  // a bit for each resource
};

/// The program dies with the calling thread.
Result<Launched> launch(const Launch& what);

/// The runtime is installed under two names. The second replaces GCC's ThreadSanitizer library in
/// programs that need it.
enum class RuntimeFor { kAny, kThreadSanitizerBuild };

/// The runtime's file: beside this executable, installed or built, or as UNRAVEL_RUNTIME says.
Result<std::string> find_runtime(RuntimeFor program = RuntimeFor::kAny);

/// The program's environment: `environment` without the driver's variables, plus the runtime. It
/// depends only on its arguments, so the program's stack always starts at the same place.
std::vector<std::string> program_environment(std::span<const std::string> environment,
                                             std::string_view runtime);

/// A CPU that this process may use. Different processes, and different calls, tend to get different
/// ones.
int choose_cpu();
std::vector<int> usable_cpus();

}  // namespace unravel
