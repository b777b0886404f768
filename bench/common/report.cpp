#include "common/report.hpp"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <fstream>

#include "base/files.hpp"
#include "common/programs.hpp"
#include "run/launch.hpp"

namespace unravel::bench {

std::string describe_machine() {
  std::string processor = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  }
  utsname kernel = {};
  ::uname(&kernel);
  return fmt::format("{}, Linux {}", processor, kernel.release);
}

void write_json(const Arguments& arguments, const std::string& benchmark, Json figures) {
  if (arguments.json.empty()) return;
  Json whole = {{"version", 1},
                {"benchmark", benchmark},
                {"machine", describe_machine()},
                {"quick", arguments.quick}};
  whole.update(figures);
  if (const auto written = write_file_atomically(arguments.json, whole.dump(2) + "\n"); !written) {
    give_up(written.error());
  }
}

}  // namespace unravel::bench
