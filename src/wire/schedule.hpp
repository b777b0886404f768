/// Schedules as driver and runtime exchange them: slices, choices, constraints, clock form, and the
/// rule for the steps that the schedule does not name.
#pragma once

#include <cstdint>

#include "wire/ids.hpp"
#include "wire/operation.hpp"

namespace unravel::wire {

/// Why a slice ended.
enum class End : std::uint8_t {
  kPreempted,  // the thread could have continued
  kBlocked,    // its pending operation could not succeed, or it waits or sleeps
  kEnded,      // the thread or the whole process ended
  kYielded,
  kSpin,      // switched away because it spins
  kFairness,  // switched away because fair round-robin gives every thread a turn
};
inline constexpr std::uint8_t kEndCount = 6;

/// Whether the switch is forced; otherwise it is a preemption.
constexpr bool forced(End end, Operation pending) {
  return end != End::kPreempted || pending == Operation::kExit || pending == Operation::kSleep;
}

/// Consecutive steps of one thread between two switches: the thread runs until the clock `until`.
struct Slice {
  ThreadId thread;
  Clock until;
  Site site;  // of the operation that is pending then
  End end = End::kPreempted;
  Operation pending = Operation::kNone;
  std::uint8_t reserved[6] = {};

  friend bool operator==(const Slice&, const Slice&) = default;
};
static_assert(sizeof(Slice) == 40);

enum class ChoiceKind : std::uint8_t {
  kWaiter,    // which waiter a signal or wake wakes: `value` is its ordinal
  kTimeout,   // the thread's timed wait times out although other threads can run
  kSpurious,  // the thread's wait ends without a reason
  // A signal from outside is delivered at a point of this thread; `value` is its number. 0: no
  // signal came, and time advanced to the next deadline.
  kSignal,
  kExternal,  // the result of the thread's call on something outside the process
  // Reserved; rejected until they are implemented:
  kWeakFailure,
  kValueRead,
  kBufferFlush,
  kRandomValue,
  // `value` nanoseconds passed while no thread could run and the program waited for the outside.
  kTimePassed,
  // Time advanced by `value` nanoseconds although threads could run: they had made enough points
  // for a deadline to be due.
  kTimeJump,
};
inline constexpr std::uint8_t kChoiceKindCount = 11;
/// Whether this version implements the kind. Other kinds are rejected, never skipped.
constexpr bool executed(ChoiceKind kind) {
  return kind == ChoiceKind::kWaiter || kind == ChoiceKind::kTimeout ||
         kind == ChoiceKind::kSignal || kind == ChoiceKind::kExternal ||
         kind == ChoiceKind::kTimePassed || kind == ChoiceKind::kTimeJump;
}

/// A recorded decision other than "which thread runs".
struct Choice {
  ThreadId thread;  // the thread whose operation needs the decision
  Clock clock;      // of that thread
  std::uint64_t value = 0;
  ChoiceKind kind = ChoiceKind::kWaiter;
  std::uint8_t reserved[7] = {};

  friend bool operator==(const Choice&, const Choice&) = default;
};
static_assert(sizeof(Choice) == 40);

/// Whose operations a pattern matches.
enum class Whose : std::uint8_t {
  kAny,
  kThread,   // of the thread with this ordinal
  kArrival,  // of the n-th thread that comes to what the pattern names, counted from 1
};
inline constexpr std::uint8_t kWhoseCount = 3;

/// One side of a constraint: an operation at a site on an object. Of site, object and operation,
/// zero matches anything; if all three are zero the pattern matches nothing. `occurrence` counts
/// from 1, over all threads that `whose` allows; 0 means all occurrences in `first`,
/// and any occurrence in `then`.
struct EventPattern {
  Site site;
  std::uint64_t object = 0;
  std::uint64_t occurrence = 0;
  Operation operation = Operation::kNone;
  Whose whose = Whose::kAny;
  std::uint8_t reserved[2] = {};
  std::uint32_t thread = 0;  // see `whose`

  friend bool operator==(const EventPattern&, const EventPattern&) = default;
};
static_assert(sizeof(EventPattern) == 32);

/// `first` happens before `then`: a thread that is about to do `then` waits for `first`. The
/// constraint is dropped after `give_up` steps of waiting (0: no limit) and when no other thread
/// can run. So "all of A before the first B" delays B for as long as other threads can run.
struct Constraint {
  EventPattern first;
  EventPattern then;
  std::uint64_t give_up = 0;

  friend bool operator==(const Constraint&, const Constraint&) = default;
};
static_assert(sizeof(Constraint) == 72);

/// One switch in clock form: after `count` points of all threads together, `receiver` runs. Without
/// a receiver it is the first thread of the run queue.
struct ClockSwitch {
  std::uint64_t count = 0;
  ThreadId receiver;
  std::uint8_t has_receiver = 0;
  std::uint8_t reserved[3] = {};
  // Only in the result of a run: the index of the slice in which the switch happened. It is not
  // stored.
  std::uint32_t slice = 0;

  friend bool operator==(const ClockSwitch& one, const ClockSwitch& other) {
    return one.count == other.count && one.receiver == other.receiver &&
           one.has_receiver == other.has_receiver;
  }
};
static_assert(sizeof(ClockSwitch) == 24);

/// To add a rule: append its kind (stored schedules refer to kinds by number), add its name, and
/// say in runtime/core/rules.cpp what it does.
enum class RuleKind : std::uint8_t {
  kStay,      // keep the current thread; if it cannot run, take the next one round-robin
  kRandom,    // at each point switch with some probability, to any runnable thread
  kPriority,  // the runnable thread with the highest priority; change points lower it
};

/// The names of the rules, in JSON and on the command line.
inline constexpr const char* kRuleNames[] = {"stay", "random", "priority"};
inline constexpr std::uint8_t kRuleKindCount = sizeof kRuleNames / sizeof kRuleNames[0];
static_assert(kRuleKindCount == static_cast<std::uint8_t>(RuleKind::kPriority) + 1,
              "every rule needs a name");

constexpr const char* name(RuleKind rule) { return kRuleNames[static_cast<std::uint8_t>(rule)]; }

/// Probabilities are fractions of this value.
inline constexpr std::uint32_t kCertain = 1u << 16;
// These two were chosen by hand.
inline constexpr std::uint32_t kMostChangePoints = 16;
inline constexpr std::uint32_t kMostConstraints = 32;

/// Upper bounds of counts and of times (in nanoseconds) in a schedule. No run reaches them, and
/// sums and differences of them do not overflow.
inline constexpr std::uint64_t kMostCount = (std::uint64_t{1} << 62) - 1;
inline constexpr std::uint64_t kMostTime = (std::uint64_t{1} << 62) - 1;
inline constexpr std::uint32_t kMostCpus = 1024;  // the CPUs in a cpu_set_t
inline constexpr std::uint64_t kMostSignal = 64;

/// Decides, inside a run, the steps that its schedule does not name.
struct Rule {
  RuleKind kind = RuleKind::kStay;
  std::uint8_t change_point_count = 0;
  // For the priority rule:
  std::uint8_t drawn_change_points = 0;  // number of random change points below `length`
  std::uint8_t redraws = 0;              // draw a new priority for every operation
  std::uint32_t switch_probability = 0;  // for the random rule; 0: drawn from the seed
  std::uint64_t seed = 0;
  std::uint64_t length = 0;    // expected number of steps of a run
  std::uint32_t starving = 0;  // probability that a thread gets a priority below the others
  // Inspects every point, though the rule would not switch there: a loop that waits for another
  // thread is then noticed at once. Slower.
  std::uint32_t watches = 0;
  std::uint64_t change_points[kMostChangePoints] = {};  // steps, ascending

  friend bool operator==(const Rule&, const Rule&) = default;
};
static_assert(sizeof(Rule) == 32 + 8 * kMostChangePoints);

/// How a run follows its schedule.
enum class Following : std::uint8_t {
  kNothing,    // the rule decides every step
  kStrict,     // the first mismatch is a divergence
  kLenient,    // slices are followed as far as possible
  kClockForm,  // switches are given by the count of all points; other turns come from the run queue
};

/// Which places are points.
enum class PointSet : std::uint8_t { kSync, kCalls, kMemory, kAuto };

/// When a rule may let a timed wait time out although other threads can run.
enum class Timeouts : std::uint8_t {
  kNear,  // if its deadline is less than kNearNanoseconds away, or after many points of others
  kAny,
  kIdle,  // only when nothing else can run
};
// Chosen by hand.
inline constexpr std::uint64_t kNearNanoseconds = 100'000'000;

/// How virtual time advances by itself. A replay uses the model of its recording, so clocks show
/// the same times.
enum class TimeModel : std::uint8_t {
  kFirst,   // for schedules of format 1
  kSecond,  // deadlines pass while threads run; all clocks agree; waits end slightly late
  kThird,   // after the program has made a child, a read of a clock takes at most 10 µs
};
inline constexpr std::uint8_t kTimeModelCount = 3;

/// How many waits for a child, before the first thread is created, a schedule records. Any further
/// ones take real time in a replay. Few programs have more. Chosen by hand.
inline constexpr std::uint32_t kMostStartWaits = 16;

/// What a run recorded before the program created its first thread. That part is not scheduled, and
/// may take a different number of steps next time if it waits for something outside, such as a
/// child's output. All of it goes from the channel to the schedule, and back for a replay: an input
/// of that time needs a field here, its bytes in data/schedule.cpp, and a check in
/// run/channel_checks.cpp.
struct Start {
  Clock clock;             // of the main thread when it created the first thread
  std::uint64_t time = 0;  // virtual; 0: unknown
  std::uint32_t wait_count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t waits[kMostStartWaits] = {};  // nanoseconds of each wait for a child

  friend bool operator==(const Start&, const Start&) = default;
};

}  // namespace unravel::wire
