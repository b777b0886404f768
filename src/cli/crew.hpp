/// Several workers for one command: a pool with its scratch directory, ended by an interruption.
#pragma once

#include <memory>

#include "cli/worker.hpp"
#include "run/pool.hpp"

namespace unravel {

class Crew {
 public:
  static Result<std::unique_ptr<Crew>> start(const WorkerRequest& request, unsigned workers,
                                             Interruption& interruption);
  ~Crew() { interruption_.watch(nullptr); }

  Pool& pool() { return *pool_; }

 private:
  Crew(Scratch scratch, Interruption& interruption)
      : scratch_(std::move(scratch)), interruption_(interruption) {}

  Scratch scratch_;
  Interruption& interruption_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace unravel
