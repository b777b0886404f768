/// Passes messages of an investigation to the reporter, and the user's interruption to the
/// investigation.
#pragma once

#include "cli/interruption.hpp"
#include "investigate/observer.hpp"
#include "report/reporter.hpp"

namespace unravel {

class ReportingObserver final : public Observer {
 public:
  ReportingObserver(Reporter& reporter, Interruption& interruption)
      : reporter_(reporter), interruption_(interruption) {}

  void warn(const std::string& text) override { reporter_.warn(text); }
  void progress(std::uint64_t done, std::uint64_t total) override {
    reporter_.progress(done, total);
  }
  void progress(const Explored& explored) override { reporter_.progress(explored); }
  void repeats_in(double seconds) override { reporter_.repeats_in(seconds); }
  void found(const Finding& finding) override { reporter_.found(finding); }
  [[nodiscard]] bool interrupted() const override { return interruption_.happened(); }
  void wait(int milliseconds) override;
  void on_interruption(std::function<void()> end) override { interruption_.watch(std::move(end)); }

  /// Becomes readable when the user interrupts; for poll().
  [[nodiscard]] int descriptor() const { return interruption_.descriptor(); }

 private:
  Reporter& reporter_;
  Interruption& interruption_;
};

}  // namespace unravel
