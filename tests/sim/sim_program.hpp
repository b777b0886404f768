/// A simulated program: threads written as lists of steps, run by the runtime's own scheduler and
/// plan on one kernel thread. A run takes microseconds and nothing in it depends on anything but
/// the program and the schedule, so rules and strategies are tested with it.
///
///   const SimProgram program{
///       .threads = {{"writer", repeat("step", 20)}, {"reader", {"read x"}}},
///       .fails_if = "writer ended before reader began",
///   };
///   const SimRun run = sim::run(program, wire::Rule{.kind = wire::RuleKind::kRandom, .seed = 7});
///
/// Threads are there from the start, in this order, and the first has the turn; except those
/// that some thread creates by name, or that follow another. If the first is called "main", its end
/// is the process's.
///
/// Steps. Objects and variables are made by naming them; T is a time such as 5ms, V a sum of
/// numbers and variables. Names beginning with $ are the thread's own; $result is what the last
/// operation returned (0, 1: busy or not there, 2: timed out).
///
///   lock M [for T]    trylock M     unlock M             mutexes
///   rdlock W [for T]  wrlock W [for T]  tryrdlock W  trywrlock W  rwunlock W
///   wait C M [for T]  signal C      broadcast C          condition variables
///   sem_wait S [for T]  sem_trywait S  post S            semaphores
///   barrier B N                                          of N threads
///   futex_wait X V [for T]          futex_wake X N       on a variable
///   create NAME       join NAME [for T]  tryjoin NAME    the thread last created by that name
///   detach NAME       yield         sleep T
///   step              read X        write X V            one point; nobody else takes part
///   clock             hook                               counted, without a point
///   access X          call                               hooks of instrumented code
///   load X            store X V                          likewise; $result is what was loaded
///   NAME = V          assert V OP V                      between two points
///   while V OP V … end              if V OP V … end
///   exit N                                               the whole process
///
/// From outside come messages, which are positive numbers, and signals:
///
///   receive X [for T]  tryreceive X                      X becomes the next message on channel X
///   receive_some X N                                     the sum of N at the most that are there
///   poll X Y [for T]                                     $result: 1, 2 or 3, if both have one;
///                                                        or 0
///   sigwait [for T]                                      $result: the signal, or 0
///   pause                                                until a handler has run
///   block             unblock                            all signals, for this thread
///
/// A signal goes to the first thread that does not block it, which makes the handler's steps with
/// $signal. Those from 10 on end what they interrupt: $result is 3 then, and of the last two -2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/scheduler.hpp"
#include "wire/control.hpp"

namespace unravel::sim {

using Steps = std::vector<std::string>;

struct SimThread {
  std::string name;
  Steps steps;
  /// Begins when the thread of this name has ended, as if its last step had created it.
  std::string follows = {};
};

/// A message on a channel, or a signal, if the channel is called "signal".
struct SimArrival {
  std::string channel;
  std::int64_t value = 0;
  /// Real nanoseconds from the start; else it is drawn from the seed of the run.
  std::uint64_t at = kNever;
};

struct SimProgram {
  std::vector<SimThread> threads;
  /// Asked when the program has ended well: `V OP V`, or `NAME began|ended before NAME
  /// began|ended`. Empty: never.
  std::string fails_if = {};
  /// Values of variables and semaphores, if not 0.
  std::vector<std::pair<std::string, std::int64_t>> start = {};
  /// What comes from outside, in order on each channel.
  std::vector<SimArrival> outside = {};
  Steps handler = {};
  /// Signals come from a child process: they are waited for, and come again in every run.
  bool has_child = false;
};

/// The site of a thread's n-th step, from 1. Threads are numbered as they are listed.
wire::Site site_of(std::uint32_t thread, std::size_t step);
/// The number of an object in constraints and events.
std::uint64_t object_of(const SimProgram& program, std::string_view name);

/// `steps`, `times` times over.
Steps repeat(const Steps& steps, std::size_t times);
Steps repeat(const char* step, std::size_t times);
/// One after the other.
Steps in_order(Steps first, const Steps& then);

struct SimLimits {
  std::uint64_t most_steps = 1'000'000;
  wire::Timeouts timeouts = wire::Timeouts::kNear;
  wire::PointSet points = wire::PointSet::kSync;
  std::uint64_t tick_every = 0;  // so many looks for a tick find one; 0: there is none
  std::vector<wire::StopAt> stops = {};
  std::uint64_t outside_seed = 0;  // of the moments at which something comes from outside
  // What runs before this one met, of wire::kSiteMapBits bits each; null: nothing is noted.
  std::uint64_t* met = nullptr;
  std::uint64_t* interrupted = nullptr;
  bool decisions = false;  // are recorded
};

/// The part of a schedule that a run follows and realises.
struct SimSchedule {
  std::vector<wire::Slice> slices = {};
  std::vector<wire::Choice> choices = {};
  wire::Rule then = {};
  bool complete = false;
  std::vector<wire::ClockSwitch> clock_switches = {};
  std::vector<wire::Constraint> constraints = {};  // objects as object_of() names them

  friend bool operator==(const SimSchedule&, const SimSchedule&) = default;
};

/// What a run was like.
struct SimRun {
  SimSchedule schedule;                       // as it was realised
  std::vector<wire::ClockSwitch> clock_form;  // the same in clock form, without its choices
  std::vector<wire::Event> events;            // `object` is its place in `objects`, from 1
  wire::RunSlot counts;
  wire::LastWords words;  // objects as in `events`
  std::vector<wire::StopAt> stopped;
  std::uint64_t now = 0;                                      // virtual nanoseconds since the start
  std::vector<std::pair<std::string, std::int64_t>> objects;  // with their last values
  std::vector<std::pair<std::string, std::int64_t>> received;  // channel and message, in order
  std::vector<std::uint64_t> decisions;  // words, see wire/decision.hpp; objects are addresses
  /// Where the scheduler's idea of who can run was not that of the simulated primitives: the
  /// first difference, or empty.
  std::string disagreement;

  [[nodiscard]] bool passed() const { return words.kind == wire::LastWords::Kind::kNothing; }
  [[nodiscard]] bool failed() const { return words.kind == wire::LastWords::Kind::kFailure; }
  [[nodiscard]] bool diverged() const { return words.kind == wire::LastWords::Kind::kDivergence; }
  [[nodiscard]] wire::FailureKind failure() const { return words.failure; }
  [[nodiscard]] std::uint64_t forced() const { return counts.switches - counts.preemptions; }
  [[nodiscard]] std::int64_t value(std::string_view name) const;
  /// `T0:3+1 T1:2 …`: each slice's thread and where it ended.
  [[nodiscard]] std::string slices() const;
  /// `5>T1 9>T0`: counts and receivers of its clock form.
  [[nodiscard]] std::string clock_switches() const;
  /// `T0:1+1 external 5, T1:2+1 signal 0 …`: each choice's thread, clock, kind and value.
  [[nodiscard]] std::string choices() const;
};

/// Whether two runs were the same in all that they hand over.
bool same(const SimRun& one, const SimRun& other);

/// The first difference between two runs in words, or empty.
std::string difference(const SimRun& one, const SimRun& other);

/// Only the rule decides.
SimRun run(const SimProgram& program, const wire::Rule& rule, const SimLimits& limits = {});

SimRun run(const SimProgram& program, const SimSchedule& schedule, wire::Following following,
           const SimLimits& limits = {});

/// Any type of schedule that has these parts.
template <class Schedule>
SimRun run(const SimProgram& program, const Schedule& schedule, wire::Following following,
           const SimLimits& limits = {}) {
  return run(program,
             SimSchedule{schedule.slices, schedule.choices, schedule.then, schedule.complete,
                         schedule.clock_switches, schedule.constraints},
             following, limits);
}

}  // namespace unravel::sim
