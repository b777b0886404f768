/// Several workers for one command: a pool with its scratch directory, ended by an observer.
#pragma once

#include <memory>

#include "investigate/runner_lease.hpp"
#include "run/pool.hpp"

namespace unravel {

class PoolLease {
 public:
  static Result<std::unique_ptr<PoolLease>> start(const RunnerRequest& request, unsigned workers,
                                                  Observer& observer);
  ~PoolLease() { observer_.on_interruption(nullptr); }

  Pool& pool() { return *pool_; }

 private:
  PoolLease(Scratch scratch, Observer& observer)
      : scratch_(std::move(scratch)), observer_(observer) {}

  Scratch scratch_;
  Observer& observer_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace unravel
