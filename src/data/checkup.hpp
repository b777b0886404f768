/// What a program's repeated runs, its files and the machine say about how far it is controlled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/frame.hpp"
#include "data/program.hpp"
#include "data/run.hpp"

namespace unravel {

/// Where a difference between two runs of one schedule most likely comes from.
enum class Source {
  kAddress,             // the same object lies elsewhere
  kTime,                // a clock that is not virtual
  kRandom,              // random numbers from outside
  kInput,               // something else that the program reads
  kUncontrolledThread,  // somebody ran who is not scheduled
  kUnknown,
};
std::string_view name(Source source);

/// How a run's process came to be.
enum class Started {
  kForked,
  kAnew,
  kLater,  // anew, some time after the first run and beside a busy process
};

/// The first thing in which a run did not repeat another.
struct Difference {
  enum class In { kEvent, kOutcome, kOutput, kErrorOutput, kSchedule };

  In in = In::kEvent;
  Source source = Source::kUnknown;
  std::uint64_t run = 0;  // from 1; the run that it should repeat is 1
  Started started = Started::kForked;
  // What both said there; a run that had ended by then has no event.
  std::optional<wire::Event> event_before;
  std::optional<wire::Event> event_now;
  std::string before;
  std::string now;
  std::uint64_t position = 0;       // of the event, or the line of output, from 1
  Stack stack;                      // of the event
  std::vector<std::string> causes;  // what the program does that could explain it
};

/// Something that is not controlled, or not granted, and what to do about it.
struct Concern {
  enum class Weight {
    kCertain,   // the program is not fully controlled
    kPossible,  // it depends on how the program uses it
    kNote,      // of the machine: less comfort, not less control
  };

  std::string name;
  Weight weight = Weight::kCertain;
  std::string evidence;
  std::string meaning;
  std::string advice;

  friend bool operator==(const Concern&, const Concern&) = default;
};

struct Checkup {
  /// Runs of one kind that were to repeat the first, and how many did not.
  struct Repeats {
    std::uint64_t runs = 0;
    std::uint64_t differed = 0;
  };

  Program program;
  RunSummary first;
  std::string explanation;  // why the first run is unresolved
  Repeats forked;
  Repeats anew;
  Repeats later;
  double seconds_later = 0;  // that passed between the first run and those
  std::string why_not_forked;
  bool has_hooks = false;    // at memory accesses
  std::uint64_t events = 0;  // compared one by one, in each run
  std::optional<Difference> difference;
  std::vector<Concern> concerns;

  std::uint64_t runs() const { return 1 + forked.runs + anew.runs + later.runs; }
  std::uint64_t differed() const { return forked.differed + anew.differed + later.differed; }

  /// The same schedule gave the same run every time, and nothing is known to be out of control.
  bool controlled() const;
};

}  // namespace unravel
