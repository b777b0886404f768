#include "investigate/lease.hpp"

#include <algorithm>
#include <thread>

namespace unravel {

namespace {

struct Prepared {
  Scratch scratch;
  RunnerOptions options;
};

Result<Prepared> prepare(const RunnerRequest& request) {
  Result<Scratch> scratch = Scratch::make(request.store);
  if (!scratch) return fail(scratch.error());
  Result<RunnerOptions> options = runner_options(request, *scratch);
  if (!options) return fail(options.error());
  return Prepared{std::move(*scratch), std::move(*options)};
}

}  // namespace

Result<std::unique_ptr<RunnerLease>> lease_runner(const RunnerRequest& request,
                                                  Observer& observer) {
  Result<Prepared> prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  auto runner = Runner::start(request.program, std::move(prepared->options));
  if (!runner) return fail(runner.error());
  return std::make_unique<RunnerLease>(std::move(prepared->scratch), std::move(*runner), observer);
}

Result<std::unique_ptr<PoolLease>> lease_pool(const RunnerRequest& request,
                                              std::optional<std::uint64_t> jobs,
                                              Observer& observer) {
  const auto workers =
      static_cast<unsigned>(jobs.value_or(std::max(1u, std::thread::hardware_concurrency())));
  Result<Prepared> prepared = prepare(request);
  if (!prepared) return fail(prepared.error());
  auto pool = std::make_unique<Pool>(request.program, std::move(prepared->options), workers);
  return std::make_unique<PoolLease>(std::move(prepared->scratch), std::move(pool), observer);
}

}  // namespace unravel
