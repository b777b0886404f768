/// What the scheduler asks of this process: sends what a run produces to the driver, stops the run
/// for the driver, and ends it.
#pragma once

#include "runtime/core/seams.hpp"

namespace unravel {

class Runtime;

class RunHost final : public Host {
 public:
  RunHost(Runtime& runtime, wire::Control& control) : runtime_(runtime), control_(control) {}

  wire::Site site_of(const void* address) override;
  const void* address_of(wire::Site site) override;
  void slice(const wire::Slice& slice) override;
  void choice(const wire::Choice& choice) override;
  void event(const wire::Event& event) override;
  void clock_switch(const wire::ClockSwitch& one) override;
  void make_room() override;
  void peek(const volatile void* from, unsigned size, std::uint64_t* to) override;

  bool take_tick() override;
  void handle_signals(Thread& self) override;
  void leave_cancelled(Thread& self) override;
  bool will_run_handler() override;
  void timer_due() override;
  bool has_outside() override;
  bool wait_outside(std::uint64_t deadline) override;
  void looked_outside() override;
  std::uint64_t take_waited() override;
  void time_moved() override;
  bool lacks_input(const Thread* thread) override;
  int arrived_signal() override;
  void deliver_signal(int signal) override;

  /// Whether the program has not made its first thread yet.
  [[nodiscard]] bool is_starting() const;
  /// Lets the driver start the client, if the run is to have one that is not there yet.
  void call_client();
  /// Waits until the driver makes a request in this state.
  wire::Request ask(wire::State state);
  /// Returns when the driver has taken what is in the streams.
  void let_driver_drain() { ask(wire::State::kFull); }
  void stop(wire::StopReason why) override;
  bool is_as_before(std::uint64_t state, bool first) override;
  void leave_spinners() override;

  wire::LastWords& words() override { return control_.last_words; }
  [[noreturn]] void end() override;
  /// Records that the program failed in the calling thread, unless something was recorded before,
  /// and stops for the driver. Afterwards the caller lets the program die in its own way.
  /// `registers`: of the place that failed; null: of this one.
  void record_failure(wire::FailureKind kind, int number, const char* text,
                      const wire::Registers* registers);
  /// Ends the run as an error of ours.
  [[noreturn]] void fault(const char* sentence);

 private:
  void ring();
  void tell_debugger();
  template <class T>
  void append(wire::Stream& stream, const T& entry);

  Runtime& runtime_;
  wire::Control& control_;
};

}  // namespace unravel
