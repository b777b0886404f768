/// A runner or a pool for the duration of one command, with its temporary files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "investigate/observer.hpp"
#include "investigate/runner_request.hpp"
#include "run/pool.hpp"
#include "run/runner.hpp"
#include "store/scratch.hpp"

namespace unravel {

/// Owns a Runner or a Pool and its scratch directory. As long as it exists, an interruption ends
/// the runs.
template <class T>
class Lease {
 public:
  Lease(Scratch scratch, std::unique_ptr<T> owned, Observer& observer)
      : scratch_(std::move(scratch)), observer_(observer), owned_(std::move(owned)) {
    observer_.on_interruption([owned = owned_.get()] { owned->interrupt(); });
  }
  ~Lease() { observer_.on_interruption(nullptr); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  T& get() { return *owned_; }

 private:
  Scratch scratch_;
  Observer& observer_;
  std::unique_ptr<T> owned_;
};

using RunnerLease = Lease<Runner>;
using PoolLease = Lease<Pool>;

Result<std::unique_ptr<RunnerLease>> lease_runner(const RunnerRequest& request, Observer& observer);
/// `jobs`: how many runs to make at the same time; nothing: one per CPU.
Result<std::unique_ptr<PoolLease>> lease_pool(const RunnerRequest& request,
                                              std::optional<std::uint64_t> jobs,
                                              Observer& observer);

}  // namespace unravel
