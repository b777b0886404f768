#include "common/arguments.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace unravel::bench {

Arguments parse_arguments(int argc, char** argv, const std::string& question, Kind kind) {
  Arguments arguments;
  CLI::App app(question);
  app.add_flag("--quick", arguments.quick, "A tenth of the work, or less");
  app.add_option("--json", arguments.json, "Write the figures to this file");
  if (kind == Kind::kSoak) {
    app.add_option("--replays", arguments.replays, "Replays of each program");
    app.add_option("--seed", arguments.seed, "Of the schedules that are replayed");
    app.add_option("--jobs", arguments.jobs, "Programs replayed at a time");
    app.add_option("--only", arguments.only, "Programs whose path contains this");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  return arguments;
}

}  // namespace unravel::bench
