/// An observer that remembers what it hears, and interrupts where a test says so.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "investigate/observer.hpp"

namespace unravel {

class RecordingObserver final : public Observer {
 public:
  void warn(const std::string& text) override { warnings.push_back(text); }
  void progress(std::uint64_t done, std::uint64_t total) override {
    steps.emplace_back(done, total);
    if (done >= interrupts_at_run) interrupt();
  }
  void progress(const Explored& explored) override {
    explored_runs.push_back(explored.runs);
    if (explored.runs >= interrupts_at_run) interrupt();
  }
  void repeats_in(double seconds) override { announced_waits.push_back(seconds); }
  void found(const Finding& finding) override { findings.push_back(finding); }
  [[nodiscard]] bool interrupted() const override { return interrupted_; }
  /// Nobody sleeps in a test: whoever waits is interrupted.
  void wait(int) override { interrupt(); }
  /// What begins after an interruption is ended, too.
  void on_interruption(std::function<void()> end) override {
    end_ = std::move(end);
    if (interrupted_ && end_) end_();
  }

  void interrupt() {
    interrupted_ = true;
    if (end_) end_();
  }
  /// Whether an interruption would end anything.
  [[nodiscard]] bool has_something_to_end() const { return static_cast<bool>(end_); }

  std::uint64_t interrupts_at_run = ~std::uint64_t{0};

  std::vector<std::string> warnings;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;  // done, total
  std::vector<std::uint64_t> explored_runs;
  std::vector<double> announced_waits;
  std::vector<Finding> findings;

 private:
  bool interrupted_ = false;
  std::function<void()> end_;
};

}  // namespace unravel
