/// Schedules as they cross the process boundary: slices, choices, constraints, clock form,
/// and the rule for the steps that they do not name.
#pragma once

#include <cstdint>

#include "wire/ids.hpp"
#include "wire/operation.hpp"

namespace unravel::wire {

/// Why a slice ended.
enum class End : std::uint8_t {
  kPreempted,  // the thread could have gone on
  kBlocked,    // its pending operation could not succeed, or it waits or sleeps
  kEnded,      // the thread, or the whole process, ended
  kYielded,
  kSpin,      // handed over as a spinner
  kFairness,  // handed over so that a round of fair round-robin comes about
};
inline constexpr std::uint8_t kEndCount = 6;

/// Whether a switch at this end is forced; else it is a preemption.
constexpr bool forced(End end, Operation pending) {
  return end != End::kPreempted || pending == Operation::kExit || pending == Operation::kSleep;
}

/// A longest stretch of consecutive steps of one thread: it runs up to this clock.
struct Slice {
  ThreadId thread;
  Clock until;
  Site site;  // of the operation pending there
  End end = End::kPreempted;
  Operation pending = Operation::kNone;
  std::uint8_t reserved[6] = {};

  friend bool operator==(const Slice&, const Slice&) = default;
};
static_assert(sizeof(Slice) == 40);

enum class ChoiceKind : std::uint8_t {
  kWaiter,    // which waiter a signal or wake wakes: `value` is its thread ordinal
  kTimeout,   // the thread's timed wait ends by its deadline although others could run
  kSpurious,  // the thread's wait ends for no reason
  // A signal from outside is delivered, at a point of this thread to whoever takes it: `value` is
  // its number. 0: none came; time went on to the next deadline, while something might have come.
  kSignal,
  kExternal,  // what the thread's call on something outside the process answered
  // Reserved, refused until they are executed:
  kWeakFailure,
  kValueRead,
  kBufferFlush,
  kRandomValue,
  // So many nanoseconds passed while nobody could run: something outside was waited for.
  kTimePassed,
  // Time went on by so many nanoseconds although threads could run: they had made so many points
  // that somebody's deadline was due.
  kTimeJump,
};
inline constexpr std::uint8_t kChoiceKindCount = 11;
/// Kinds that this version executes; others are refused, never skipped.
constexpr bool executed(ChoiceKind kind) {
  return kind == ChoiceKind::kWaiter || kind == ChoiceKind::kTimeout ||
         kind == ChoiceKind::kSignal || kind == ChoiceKind::kExternal ||
         kind == ChoiceKind::kTimePassed || kind == ChoiceKind::kTimeJump;
}

/// A decision that is not "which thread".
struct Choice {
  ThreadId thread;  // whose operation it belongs to
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
/// from 1, over all threads that `whose` allows; 0 is all occurrences of the one that comes first,
/// and any of the other.
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

/// `first` happens before `then`: whoever is about to make `then` waits. Given up after `give_up`
/// steps of holding back (0: never for that reason), and when nobody else can run: so "all of A
/// before the first B" lets B wait as long as anything else can happen.
struct Constraint {
  EventPattern first;
  EventPattern then;
  std::uint64_t give_up = 0;

  friend bool operator==(const Constraint&, const Constraint&) = default;
};
static_assert(sizeof(Constraint) == 72);

/// One switch in clock form: after `count` points of all threads, `receiver` runs; without a
/// receiver, the head of the run queue.
struct ClockSwitch {
  std::uint64_t count = 0;
  ThreadId receiver;
  std::uint8_t has_receiver = 0;
  std::uint8_t reserved[3] = {};
  // As realised: the slice that was going on there, or ended. Nobody follows it, and it is not
  // kept.
  std::uint32_t slice = 0;

  friend bool operator==(const ClockSwitch& one, const ClockSwitch& other) {
    return one.count == other.count && one.receiver == other.receiver &&
           one.has_receiver == other.has_receiver;
  }
};
static_assert(sizeof(ClockSwitch) == 24);

enum class RuleKind : std::uint8_t {
  kStay,      // run on; when that is impossible the next thread round-robin
  kRandom,    // with a probability per point, any thread that can run
  kPriority,  // the highest priority that can run; change points lower it
  kWeighted,  // reserved
};

/// Probabilities are out of this.
inline constexpr std::uint32_t kCertain = 1u << 16;
inline constexpr std::uint32_t kMostChangePoints = 16;
inline constexpr std::uint32_t kMostConstraints = 32;

/// What a schedule may say of counts and of times, in nanoseconds: more than any run comes to, and
/// so little that sums and differences of them fit their words.
inline constexpr std::uint64_t kMostCount = (std::uint64_t{1} << 62) - 1;
inline constexpr std::uint64_t kMostTime = (std::uint64_t{1} << 62) - 1;
inline constexpr std::uint32_t kMostCpus = 1024;  // as many as sched_getaffinity() is asked about
inline constexpr std::uint64_t kMostSignal = 64;

/// Decides, inside a run, the steps that its schedule does not name.
struct Rule {
  RuleKind kind = RuleKind::kStay;
  std::uint8_t change_point_count = 0;
  // Of the priority rule:
  std::uint8_t drawn_change_points = 0;  // instead of given ones: so many below `length`
  std::uint8_t redraws = 0;              // every operation has a priority of its own
  std::uint32_t switch_probability = 0;  // random only; 0 draws one from the seed
  std::uint64_t seed = 0;
  std::uint64_t length = 0;    // steps of a run, as far as is known
  std::uint32_t starving = 0;  // probability that a thread comes last
  std::uint32_t reserved = 0;
  std::uint64_t change_points[kMostChangePoints] = {};  // steps, ascending

  friend bool operator==(const Rule&, const Rule&) = default;
};
static_assert(sizeof(Rule) == 32 + 8 * kMostChangePoints);

/// How a run treats the slices that it was given.
enum class Following : std::uint8_t {
  kNothing,    // the rule decides every step
  kStrict,     // the first mismatch is a divergence
  kLenient,    // slices are followed as far as they can be
  kClockForm,  // switches by the count of all threads' points, other turns first come first served
};

/// Which sets of places count as points.
enum class PointSet : std::uint8_t { kSync, kCalls, kMemory, kAuto };

/// May a rule let a timed wait time out although other threads can run?
enum class Timeouts : std::uint8_t {
  kNear,  // if its deadline is less than kNearNanoseconds away, or others have made many points
  kAny,
  kIdle,  // only when nothing else can run
};
inline constexpr std::uint64_t kNearNanoseconds = 100'000'000;

/// How virtual time moves by itself. A schedule is replayed under the model that it was recorded
/// under, so that its clocks show the same times.
enum class TimeModel : std::uint8_t {
  kFirst,   // of schedules of format 1
  kSecond,  // deadlines come though threads run; all clocks tell one time; waits end a little late
};
inline constexpr std::uint8_t kTimeModelCount = 2;

/// Waits for a child before the first thread whose lengths a schedule keeps; programs with more are
/// rare, and the lengths of the others are real.
inline constexpr std::uint32_t kMostStartWaits = 16;

/// Where the program stood when it made its first thread. Nobody schedules what comes before, and
/// what it waited for outside, such as a child's output, may take another number of steps next
/// time.
struct Start {
  Clock clock;             // of the program's first thread
  std::uint64_t time = 0;  // virtual; 0: not known

  friend bool operator==(const Start&, const Start&) = default;
};

}  // namespace unravel::wire
