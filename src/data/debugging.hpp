/// What is asked and told about a run that a debugger watches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "data/named_stop.hpp"
#include "data/run.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// A request of the debugger's side.
struct DebuggerRequest {
  enum class Kind {
    // Where to go; answered by a Way.
    kGoto,  // to `place`
    kStart,
    kEnd,
    kFailure,
    kCritical,    // to the switch that decides
    kStep,        // `count` points on
    kBack,        // `count` points back
    kSwitch,      // to the next switch
    kSwitchBack,  // to the previous one
    // How to get there:
    kAgain,     // make the run again, up to there; answered when it stands there, or has ended
    kAttached,  // the debugger is attached to it
    kRunning,   // the debugger lets it go on
    kCancel,    // what was asked for is not wanted any more; answered by the word "cancelled"
    // Questions:
    kWhere,
    kThreads,
    kTable,
  };

  Kind kind = Kind::kWhere;
  NamedStop place;
  std::uint64_t count = 1;
};

/// The run that is watched.
struct DebuggedRun {
  std::string id;
  std::string program;       // its path
  std::uint64_t points = 0;  // that the run passed
  std::string failure;       // in one line; empty if it passed
  std::optional<std::uint32_t> failing_thread;
  std::string passing;  // id of the run that `isolate` found beside it; empty if there is none
};

/// How the run gets to where it was asked to go.
enum class Way {
  kHere,     // it is there
  kForward,  // it stops there when the debugger lets it go on
  kAgain,    // it has to be made again
};

/// A change of the turn.
struct Switch {
  wire::ThreadId from;
  wire::Clock at;
  std::optional<wire::ThreadId> to;  // nothing: the run ends there
  std::string why;                   // "preempted", "blocked", …
};

/// Where a run is.
struct RunPosition {
  enum class Why { kPlace, kSwitch, kFailure, kDivergence, kElsewhere };

  std::int32_t process = 0;
  std::uint64_t step = 0;
  std::uint64_t points = 0;  // of the whole run
  wire::ThreadId thread;     // which has the turn
  std::int32_t kernel_thread = 0;
  wire::Clock clock;  // of that thread
  Why why = Why::kElsewhere;
  std::string told;                   // about a failure, a divergence or a missed place
  std::optional<Switch> next_switch;  // where that thread gives the turn away
};

struct DebuggedThread {
  wire::ThreadId thread;
  std::int32_t kernel_thread = 0;
  bool has_turn = false;
  wire::Clock clock;
  std::string state;
  std::uint64_t object = 0;  // of what it waits for: an address, or the number of a thread
  bool waits_for_thread = false;
  std::vector<std::uint64_t> held;  // addresses of locks, as of the run's last stop
};

/// The interleaving around a place: rows of the run's table.
struct DebuggedTable {
  Run run;               // with the rows around the place as its steps
  std::size_t done = 0;  // how many of them have happened
};

/// The run has ended while it was watched.
struct DebuggedEnd {
  std::string outcome;
  std::string differs;  // from the recorded run; empty if it does not
};

using DebuggerAnswer =
    std::variant<Error, DebuggedRun, Way, RunPosition, std::vector<DebuggedThread>, DebuggedTable,
                 DebuggedEnd, std::string>;

}  // namespace unravel
