/// How well a program is controlled, judging by repeated runs, its files and the machine.
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

/// The likely source of a difference between two runs of one schedule.
enum class Source {
  kAddress,             // the same object has another address
  kTime,                // a clock that is not virtual
  kRandom,              // random numbers from outside
  kInput,               // other input
  kUncontrolledThread,  // a thread ran that is not scheduled
  kUnknown,
};
std::string_view name(Source source);

/// How a run's process was started.
enum class Started {
  kForked,
  kAnew,
  kLater,  // anew, some time after the first run, beside a busy process
};

/// The first difference between a run and the run that it should repeat.
struct Difference {
  enum class In { kEvent, kOutcome, kOutput, kErrorOutput, kSchedule };

  In in = In::kEvent;
  Source source = Source::kUnknown;
  std::uint64_t run = 0;  // from 1; run 1 is the one to repeat
  Started started = Started::kForked;
  // The events of both runs there; a run that had already ended has none.
  std::optional<wire::Event> event_before;
  std::optional<wire::Event> event_now;
  std::string before;
  std::string now;
  std::uint64_t position = 0;       // of the event, or the line of output, from 1
  Stack stack;                      // of the event
  std::vector<std::string> causes;  // what the program does that could explain it
};

/// Something that is not controlled, or not permitted, and advice.
struct Concern {
  enum class Weight {
    kCertain,   // the program is not fully controlled
    kPossible,  // it depends on how the program uses it
    kNote,      // about the machine: less comfort, not less control
  };

  std::string name;
  Weight weight = Weight::kCertain;
  std::string evidence;
  std::string meaning;
  std::string advice;

  friend bool operator==(const Concern&, const Concern&) = default;
};

struct Checkup {
  /// Runs of one kind that should repeat the first, and how many did not.
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
  double seconds_later = 0;  // between the first run and the later ones
  std::string why_not_forked;
  bool has_hooks = false;    // at memory accesses
  std::uint64_t events = 0;  // compared in each run
  std::optional<Difference> difference;
  std::vector<Concern> concerns;

  std::uint64_t runs() const { return 1 + forked.runs + anew.runs + later.runs; }
  std::uint64_t differed() const { return forked.differed + anew.differed + later.differed; }

  /// The same schedule gave the same run every time, and nothing is known to be uncontrolled.
  bool controlled() const;
};

}  // namespace unravel
