// Executes the clock form of real runs: every program of a folder is run by the random rule, and
// what that run was in clock form is run again. It must be the same run, slice for slice.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "data/print.hpp"
#include "run/runner.hpp"

namespace fs = std::filesystem;
using namespace unravel;

namespace {

constexpr std::uint64_t kSeeds = 3;

/// What came from outside is waited for by a strict replay only.
bool has_outside(const Schedule& schedule) {
  return std::any_of(schedule.choices.begin(), schedule.choices.end(),
                     [](const wire::Choice& choice) {
                       return choice.kind == wire::ChoiceKind::kSignal ||
                              choice.kind == wire::ChoiceKind::kExternal;
                     });
}

void show(const wire::Slice& slice) {
  std::printf("  T%u up to %llu+%llu, end %d, about to %s at %llx\n", slice.thread.ordinal,
              static_cast<unsigned long long>(slice.until.operations),
              static_cast<unsigned long long>(slice.until.hooks), static_cast<int>(slice.end),
              wire::traits(slice.pending).name, static_cast<unsigned long long>(slice.site.packed));
}

struct Tally {
  int same = 0, outside = 0, different = 0;
};

Result<void> compare(const std::string& path, const std::string& scratch, Tally& tally) {
  Result<Program> program = find_program({path});
  if (!program) return fail(program.error());
  RunnerOptions options;
  options.scratch_directory = scratch;
  if (instrumentation_of(*program).has_hooks) options.points = wire::PointSet::kMemory;
  Result<std::unique_ptr<Runner>> runner = Runner::start(*program, options);
  if (!runner) return fail(runner.error());
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    RunRequest request;
    request.schedule.then = {.kind = wire::RuleKind::kRandom, .seed = seed};
    request.schedule.points = options.points;
    Result<Run> first = (*runner)->run(request);
    if (!first) return fail(first.error());
    if (has_outside(first->schedule)) {
      ++tally.outside;
      continue;
    }
    RunRequest clock_form;
    clock_form.schedule = first->schedule;
    clock_form.schedule.slices.clear();
    clock_form.schedule.then = {};
    clock_form.schedule.complete = false;
    clock_form.schedule.clock_switches = first->clock_form;
    clock_form.following = wire::Following::kClockForm;
    Result<Run> second = (*runner)->run(clock_form);
    if (!second) return fail(second.error());
    const bool same = second->schedule.slices == first->schedule.slices &&
                      second->schedule.choices == first->schedule.choices &&
                      second->clock_form == first->clock_form &&
                      second->summary.outcome == first->summary.outcome;
    ++(same ? tally.same : tally.different);
    if (same) continue;
    std::size_t at = 0;
    while (at < std::min(first->schedule.slices.size(), second->schedule.slices.size()) &&
           first->schedule.slices[at] == second->schedule.slices[at]) {
      ++at;
    }
    std::printf("DIFFERS: %s with seed %llu, from slice %zu of %zu on\n", path.c_str(),
                static_cast<unsigned long long>(seed), at, first->schedule.slices.size());
    for (const Run* run : {&*first, &*second}) {
      if (at < run->schedule.slices.size()) show(run->schedule.slices[at]);
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s FOLDER SCRATCH\n", argv[0]);
    return 2;
  }
  fs::create_directories(argv[2]);
  std::vector<std::string> programs;
  for (const auto& entry : fs::directory_iterator(argv[1])) {
    const bool executable =
        (entry.status().permissions() & fs::perms::owner_exec) != fs::perms::none;
    if (entry.is_regular_file() && executable) programs.push_back(entry.path().string());
  }
  std::sort(programs.begin(), programs.end());
  Tally tally;
  for (const std::string& program : programs) {
    const Result<void> compared = compare(program, argv[2], tally);
    if (compared) continue;
    std::printf("FAILED: %s: %s\n", program.c_str(), compared.error().what.c_str());
    ++tally.different;
  }
  std::printf(
      "%zu programs: %d runs the same in clock form, %d not, %d with something from outside\n",
      programs.size(), tally.same, tally.different, tally.outside);
  return tally.different == 0 && tally.same > 0 ? 0 : 1;
}
