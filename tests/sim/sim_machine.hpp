/// Runs a simulated program: plays the primitives' memory, the threads and the host, and leaves
/// every decision to the scheduler. It calls the scheduler as the interposers do.
///
/// Beside it goes a naive model of who can run, asked at every step and every switch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/fiber.hpp"
#include "sim/sim_code.hpp"
#include "sim/sim_outside.hpp"
#include "sim/sim_program.hpp"

namespace unravel::sim {

/// Everything that an object can be: steps use the part that they need.
struct SimObject {
  std::int64_t value = 0;
  const Thread* owner = nullptr;  // of a mutex, or who writes
  std::uint32_t readers = 0;
  std::vector<std::uint32_t> queue;  // ordinals, in order of arrival
};

/// What a return address is to a real program: a thread's code and the step in it, from 1.
constexpr std::uint64_t site_address(std::uint64_t thread, std::uint64_t step) {
  return (thread << 20) + step;
}
/// The one whose code they all are.
inline constexpr std::uint32_t kModule = 1;

class SimMachine final : private Switcher, private Host {
 public:
  SimMachine(const ProgramCode& code, const SimLimits& limits);

  SimRun run(const Plan& plan);

  /// Of an object that is known by its place, from 1; what has no place stays as it is.
  [[nodiscard]] std::uint64_t address_of_object(std::uint64_t place) const {
    if (place == 0 || place > objects_.size()) return place;
    return reinterpret_cast<std::uint64_t>(&objects_[place - 1]);
  }

  // What $result says.
  static constexpr int kBusy = 1;
  static constexpr int kTimedOut = 2;
  static constexpr int kBySignal = 3;

  /// A check of the scheduler's own failed.
  [[noreturn]] void fault(const char* sentence);

 private:
  /// What a thread stands at, as the model sees it.
  enum class Stand : std::uint8_t {
    kFree,
    kLock,
    kReadLock,
    kWriteLock,
    kSemaphore,
    kJoin,
    kQueued,
    kAsleep,
    kOutside,
    kSignal,
    kHandler,
    kUnknown,  // repeats what it once waited for: only the schedule knows
  };

  struct Live {
    SimMachine* machine = nullptr;
    const ThreadCode* code = nullptr;
    Thread* thread = nullptr;
    Fiber* fiber = nullptr;
    std::size_t next_step = 0;
    std::int64_t own[kMostOwn] = {};
    bool ended = false;
    bool gone = false;  // joined, or detached
    std::uint64_t began_at = 0;
    std::uint64_t ended_at = 0;
    Stand stand = Stand::kFree;
    SimObject* stands_at = nullptr;
    const Live* joins = nullptr;
    std::uint64_t due = kNever;
  };

  // --- Switcher, Host ---
  void hand_over(Thread& from, Thread& to) override;
  void leave_to(Thread& from, Thread& to) override;
  wire::Site site_of(const void* address) override;
  const void* address_of(wire::Site site) override;
  void slice(const wire::Slice& slice) override;
  void choice(const wire::Choice& choice) override { seen_.schedule.choices.push_back(choice); }
  void event(const wire::Event& event) override;
  void clock_switch(const wire::ClockSwitch& one) override { seen_.clock_form.push_back(one); }
  bool take_tick() override { return limits_.tick_every && ++looks_ % limits_.tick_every == 0; }
  void stop(wire::StopReason why) override;
  void make_room() override { take_decisions(); }
  bool is_as_before(std::uint64_t state, bool first) override;
  std::uint64_t take_waited() override;
  wire::LastWords& words() override { return seen_.words; }
  [[noreturn]] void end() override;
  void handle_signals(Thread& thread) override;
  bool has_outside() override;
  bool wait_outside(std::uint64_t deadline) override;
  int arrived_signal() override { return world_.arrived_signal(); }
  void deliver_signal(int signal) override;

  // --- Threads ---
  Live* bring_to_life(std::uint32_t code);
  [[noreturn]] void live(Live& self);
  [[noreturn]] void process_ends(Live& self, std::int64_t status);
  void fail(const Live& self, wire::FailureKind kind, const std::string& text);

  // --- Steps ---
  void take_step(Live& self, const Code& code);
  void lock(Live& self, const Code& code, std::uint32_t object, std::uint64_t time);
  void try_lock(Live& self, const Code& code);
  void unlock(Live& self, const Code& code);
  void release(Live& self, SimObject& object);
  void wait(Live& self, const Code& code);
  void wake(Live& self, const Code& code, std::uint32_t most);
  void sem_wait(Live& self, const Code& code);
  void sem_try_wait(Live& self, const Code& code);
  void barrier(Live& self, const Code& code);
  void futex_wait(Live& self, const Code& code);
  void create(Live& self, const Code& code);
  void join(Live& self, const Code& code);
  void try_join(Live& self, const Code& code);
  void simple(Live& self, const Code& code);
  void make_hook(Live& self, wire::Operation kind, SimObject* object);
  void sleep(Live& self, const Code& code);
  void receive(Live& self, const Code& code);
  void poll(Live& self, const Code& code);
  void signal_wait(Live& self, const Code& code);
  void pause(Live& self);
  void set_mask(Live& self, std::uint64_t mask);
  void run_handler(Live& self, int signal);

  Op op_of(const Live& self, wire::Operation kind, const void* object, std::uint64_t time = kNever);
  Waiting::Woken queue_on(Live& self, SimObject& object, const Op& op, bool again = false);
  std::uint32_t wake_from(Live& self, SimObject& object, std::uint32_t most);
  void stand(Live& self, Stand stand, SimObject* at, std::uint64_t deadline);
  static void stand_free(Live& self);
  std::int64_t take_messages(std::uint32_t channel, std::int64_t most);
  void await_again(Live& self, const Op& op, const Outside& outside, Op::Can can);
  [[nodiscard]] bool may_come(std::uint64_t deadline) const;

  [[nodiscard]] std::int64_t value_of(const Live* self, const Operand& operand) const;
  [[nodiscard]] std::int64_t value_of(const Live* self, const Sum& sum) const;
  [[nodiscard]] bool holds(const Live* self, const Comparison& comparison) const;
  [[nodiscard]] bool verdict_fails() const;

  // --- The model ---
  bool can_go_on(const Live& thread);
  bool agrees(const Live& thread);
  void compare(const Thread* except);

  void close_last_slice();
  void take_decisions();
  void name_objects();

  Live& live_of(const Thread& thread) { return *threads_[thread.ordinal]; }

  const ProgramCode& code_;
  const SimLimits& limits_;
  Fibers& fibers_;
  Arena arena_;
  Countdowns countdowns_;
  Recorder recorder_;
  std::uint64_t looks_ = 0;  // for a tick
  Scheduler scheduler_;
  std::vector<SimObject>& objects_;             // at the same address in every run
  std::vector<std::unique_ptr<Live>> threads_;  // by ordinal
  std::vector<Live*> by_code_;                  // the last created of each
  Live* current_ = nullptr;
  Live* after_end_ = nullptr;  // who goes on when the current thread has ended
  std::uint64_t moments_ = 0;
  bool strict_ = false;  // whether it follows a schedule so
  std::vector<std::uint64_t> decision_words_;
  wire::Stream decision_stream_;
  World world_;
  std::vector<std::int64_t> round_;    // the program's state when it was last asked for
  std::uint64_t waited_ = 0;           // real nanoseconds that virtual time has not gone along with
  std::uint64_t process_signals_ = 0;  // that every thread blocks
  SimRun seen_;
};

}  // namespace unravel::sim
