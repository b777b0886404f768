#include "investigate/run_for_debugger.hpp"

#include <string>

#include "base/files.hpp"

namespace unravel {

namespace {

// How often to look whether a debugger is there. Chosen by hand.
constexpr int kMillisecondsBetweenLooks = 50;

/// Whether a debugger is attached to the process.
bool is_traced(pid_t process) {
  const auto status = read_text_file("/proc/" + std::to_string(process) + "/status");
  if (!status) return false;
  constexpr std::string_view kField = "\nTracerPid:\t";
  const std::size_t found = status->find(kField);
  return found != std::string::npos && (*status)[found + kField.size()] != '0';
}

}  // namespace

wire::DebuggerStop RunForDebugger::first_stop() const {
  using Kind = wire::DebuggerStop::Kind;
  if (place_.points) return {.kind = Kind::kStep, .count = *place_.points};
  return {.kind = Kind::kClock, .at = place_.at};
}

void RunForDebugger::stopped(WatchedRun& run, wire::StopReason why) {
  if (why != wire::StopReason::kDebugger || was_held_) return;
  was_held_ = true;
  const wire::ThreadRecord current = run.current();
  on_held_({.process = run.process(),
            .thread = current.thread,
            .clock = current.clock,
            .step = run.counters().steps});
  while (!observer_.interrupted() && run.process() > 0 && !is_traced(run.process())) {
    observer_.wait(kMillisecondsBetweenLooks);
  }
}

}  // namespace unravel
