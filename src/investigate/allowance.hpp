/// The runs and the processor time that an explanation may use. Real time counts only if the user
/// set a limit: the result must not depend on the load of the machine.
#pragma once

#include <chrono>
#include <optional>

#include "investigate/observer.hpp"
#include "run/pool.hpp"

namespace unravel {

struct AllowanceLimits {
  std::uint64_t runs = 0;
  std::chrono::duration<double> processor_time{0};
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

class Allowance {
 public:
  /// Earlier runs of the pool do not count.
  Allowance(const Pool& pool, const AllowanceLimits& limits, Observer& observer)
      : pool_(pool), limits_(limits), observer_(observer), before_(pool.spent()) {}

  /// Whether another run is allowed.
  [[nodiscard]] bool is_left() const {
    const Spent spent = pool_.spent();
    return !observer_.interrupted() && !is_past_deadline() &&
           spent.runs - before_.runs < limits_.runs &&
           spent.processor_seconds - before_.processor_seconds < limits_.processor_time.count();
  }

  [[nodiscard]] bool is_past_deadline() const {
    return limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
  }
  [[nodiscard]] std::uint64_t runs() const { return pool_.spent().runs - before_.runs; }
  [[nodiscard]] std::uint64_t most_runs() const { return limits_.runs; }

 private:
  const Pool& pool_;
  const AllowanceLimits limits_;
  Observer& observer_;
  const Spent before_;
};

}  // namespace unravel
