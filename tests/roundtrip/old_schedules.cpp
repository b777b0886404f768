// Replays schedules that were recorded before virtual time was changed: a kept run must still
// replay when unravel is newer. Each line of the file names a program with timed waits and a
// schedule that it passed under. The program's own code may be at other places now, so places are
// not compared.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "data/schedule.hpp"
#include "run/runner.hpp"

namespace fs = std::filesystem;
using namespace unravel;

namespace {

constexpr int kReplays = 3;

bool is_same_way(const Schedule& recorded, const Schedule& now) {
  if (recorded.slices.size() != now.slices.size() || recorded.choices != now.choices) return false;
  for (std::size_t i = 0; i < now.slices.size(); ++i) {
    wire::Slice slice = now.slices[i];
    slice.site = recorded.slices[i].site;
    if (slice != recorded.slices[i]) return false;
  }
  return true;
}

/// What is wrong; empty: every replay was the same.
std::string replay(const fs::path& path, const Schedule& schedule, const std::string& scratch) {
  const Result<Program> program = find_program({path.string()});
  if (!program) return program.error().what;
  RunnerOptions options;
  options.scratch_directory = scratch;
  options.start_realtime = schedule.start_realtime;
  options.start_monotonic = schedule.start_monotonic;
  options.cpu_count = schedule.cpu_count;
  options.time_model = schedule.time_model;
  const Result<std::unique_ptr<Runner>> runner = Runner::start(*program, options);
  if (!runner) return runner.error().what;
  for (int i = 0; i < kReplays; ++i) {
    RunRequest request;
    request.schedule = schedule;
    request.following = wire::Following::kStrict;
    const Result<Run> run = (*runner)->run(request);
    if (!run) return run.error().what;
    if (run->summary.outcome != Outcome::kPassed) {
      return std::string(name(run->summary.outcome)) + ": " + run->explanation;
    }
    if (!is_same_way(schedule, run->schedule)) return "it took other steps";
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s SCHEDULES PROGRAMS SCRATCH\n", argv[0]);
    return 2;
  }
  fs::create_directories(argv[3]);
  std::ifstream file(argv[1]);
  std::string program;
  std::string text;
  int same = 0;
  int different = 0;
  while (file >> program >> text) {
    const Result<Schedule> schedule = schedule_from_string(text);
    const std::string wrong = schedule ? replay(fs::path(argv[2]) / program, *schedule, argv[3])
                                       : "unreadable: " + schedule.error().why;
    ++(wrong.empty() ? same : different);
    if (!wrong.empty()) std::printf("DIFFERS: %s: %s\n", program.c_str(), wrong.c_str());
  }
  std::printf("%d schedules replayed the same way, %d did not\n", same, different);
  return same > 0 && different == 0 ? 0 : 1;
}
