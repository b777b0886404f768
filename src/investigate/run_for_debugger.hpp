/// Holds a run at a place until some debugger is attached to it: for `replay --wait`.
#pragma once

#include <functional>

#include "data/named_stop.hpp"
#include "investigate/observer.hpp"
#include "run/run_debugger.hpp"

namespace unravel {

/// Where a run is held.
struct HeldAt {
  std::int32_t process = 0;
  wire::ThreadId thread;
  wire::Clock clock;
  std::uint64_t step = 0;
};

class RunForDebugger final : public RunDebugger {
 public:
  /// Calls `on_held` once, when the run stands at `place`.
  RunForDebugger(const NamedStop& place, std::function<void(const HeldAt&)> on_held,
                 Observer& observer)
      : place_(place), on_held_(std::move(on_held)), observer_(observer) {}

  [[nodiscard]] wire::DebuggerStop first_stop() const override;
  void stopped(WatchedRun& run, wire::StopReason why) override;
  bool attend(WatchedRun&) override { return false; }
  [[nodiscard]] bool was_held() const { return was_held_; }

 private:
  NamedStop place_;
  std::function<void(const HeldAt&)> on_held_;
  Observer& observer_;
  bool was_held_ = false;
};

}  // namespace unravel
