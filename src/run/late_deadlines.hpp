/// Deadlines that come later than natively, because a thread computes. Pure: it is told what the
/// driver sees.
///
/// A deadline comes only at a point. While a thread computes without one, no wait of another thread
/// ends. Natively the other thread would go on, and might even stop the computing thread. So a
/// failure after that may be one that no native run shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wire/control.hpp"

namespace unravel {

/// A timed wait that natively would have ended while another thread computed.
struct LateDeadline {
  std::uint32_t computing_thread = 0;
  std::chrono::milliseconds computed{0};  // processor time between two points
  std::uint32_t waiting_thread = 0;
  std::chrono::nanoseconds left{0};  // of the wait, when the other thread began to compute
};

/// "T1 computed for 3.2 s without a synchronisation operation while T0 waited for at most 5 ms"
std::string describe(const LateDeadline& late);

class LateDeadlines {
 public:
  // Both are deliberately coarse. A second of processor time is far more than an ordinary test
  // computes at a stretch, and the same on a busy machine. A wait with a tenth of that time left
  // ends meanwhile natively, even if the native run is several times faster than this one.
  static constexpr std::chrono::seconds kLongComputing{1};
  static constexpr int kTimesLeft = 10;

  using ReadThreads = std::function<std::vector<wire::ThreadRecord>()>;

  /// What the run shows at a check: its number in the batch, and its slot. Returns whether it has
  /// passed no point since the last check; only then is computes() called.
  bool observe(std::uint32_t run, const wire::RunSlot& slot);

  /// At the same check: the thread that has the turn, and its processor time so far. `threads` is
  /// called only if the thread has computed for long.
  void computes(std::uint32_t thread, std::chrono::milliseconds processor,
                const ReadThreads& threads);

  /// The one that counts in this run of the batch: of the longest computation.
  std::optional<LateDeadline> of_run(std::uint32_t run) const;

 private:
  struct Stretch {
    std::uint32_t thread = 0;
    std::chrono::milliseconds processor{0};  // of the thread before
  };

  bool has_looked_ = false;
  std::uint32_t run_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t time_ = 0;          // virtual time at the last point
  std::optional<Stretch> stretch_;  // since the first check without a new point
  std::optional<LateDeadline> late_;
};

}  // namespace unravel
