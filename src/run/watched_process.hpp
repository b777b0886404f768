/// The run of a program process, as a debugger's side sees it.
#pragma once

#include "run/program_process.hpp"
#include "run/run_debugger.hpp"

namespace unravel {

class WatchedProcess final : public WatchedRun {
 public:
  WatchedProcess(ProgramProcess& process, bool is_starting)
      : process_(process), is_starting_(is_starting) {}

  [[nodiscard]] pid_t process() const override;
  [[nodiscard]] wire::RunSlot counters() const override;
  [[nodiscard]] wire::ThreadRecord current() const override;
  [[nodiscard]] std::vector<WatchedThread> threads() const override;
  [[nodiscard]] wire::LastWords last_words() const override;
  [[nodiscard]] wire::DebuggerStop stop() const override;
  [[nodiscard]] bool spins() const override { return process_.spins(); }
  void stop_next(const wire::DebuggerStop& place) override;
  void end() override { process_.end_run(); }

 private:
  [[nodiscard]] std::uint64_t uncounted(std::uint64_t words) const;

  ProgramProcess& process_;
  bool is_starting_;
};

}  // namespace unravel
