#include "investigate/pool_lease.hpp"

namespace unravel {

Result<std::unique_ptr<PoolLease>> PoolLease::start(const RunnerRequest& request, unsigned workers,
                                                    Observer& observer) {
  Result<Scratch> scratch = Scratch::make(request.store);
  if (!scratch) return fail(scratch.error());
  Result<RunnerOptions> options = runner_options(request, *scratch);
  if (!options) return fail(options.error());
  std::unique_ptr<PoolLease> lease(new PoolLease(std::move(*scratch), observer));
  lease->pool_ = std::make_unique<Pool>(request.program, std::move(*options), workers);
  observer.on_interruption([pool = lease->pool_.get()] { pool->interrupt(); });
  return lease;
}

}  // namespace unravel
