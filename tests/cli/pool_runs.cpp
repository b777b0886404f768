/// Runs a program many times through a pool and prints a line for each run, in order.
///
/// Usage: pool_runs WORKERS SCRATCH PROGRAM. The first line is how many workers there are.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <vector>

#include "run/pool.hpp"

namespace {

constexpr std::uint64_t kBatches = 20, kRunsInBatch = 10;

int give_up(const unravel::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.what.c_str(), error.why.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace unravel;
  if (argc != 4) return 2;
  const Result<Program> program = find_program({argv[3]});
  if (!program) return give_up(program.error());
  RunnerOptions options;
  options.scratch_directory = std::filesystem::absolute(argv[2]).string();
  // The same for every number of workers, as for the replay of a stored run.
  options.start_realtime = 1'700'000'000'000'000'000;
  options.start_monotonic = 1'000'000'000;
  options.cpu_count = 2;
  Pool pool(*program, options, static_cast<unsigned>(std::atoi(argv[1])));
  std::printf("%zu\n", pool.workers());

  std::vector<std::future<Result<BatchResult>>> batches;
  for (std::uint64_t i = 0; i < kBatches; ++i) {
    BatchRequest request;
    request.first_ordinal = i * kRunsInBatch;
    request.count = kRunsInBatch;
    request.master_seed = 1;
    request.rule.kind = wire::RuleKind::kRandom;
    request.stop_at_failure = false;
    batches.push_back(pool.submit(request));
  }
  for (auto& batch : batches) {
    const Result<BatchResult> result = batch.get();
    if (!result) return give_up(result.error());
    for (const RunSummary& run : result->runs) {
      std::printf("%llu %s %llu %llu %llx\n", static_cast<unsigned long long>(run.ordinal),
                  std::string(name(run.outcome)).c_str(),
                  static_cast<unsigned long long>(run.steps),
                  static_cast<unsigned long long>(run.switches),
                  static_cast<unsigned long long>(run.schedule_hash));
    }
    for (const Run& run : result->failures) std::printf("%s\n", run.failure->key.c_str());
  }
}
