/// Several workers for one command: a pool with its scratch directory, ended by an interruption.
#pragma once

#include <memory>

#include "cli/runner_lease.hpp"
#include "run/pool.hpp"

namespace unravel {

class PoolLease {
 public:
  static Result<std::unique_ptr<PoolLease>> start(const RunnerRequest& request, unsigned workers,
                                                  Interruption& interruption);
  ~PoolLease() { interruption_.watch(nullptr); }

  Pool& pool() { return *pool_; }

 private:
  PoolLease(Scratch scratch, Interruption& interruption)
      : scratch_(std::move(scratch)), interruption_(interruption) {}

  Scratch scratch_;
  Interruption& interruption_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace unravel
