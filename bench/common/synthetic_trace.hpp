/// A trace that no program made, of any length, in blocks.
///
/// Main creates 8 threads and waits for them. They take turns of about 40 events. Of 100 accesses
/// about 78 are made in critical sections of 6 to 12 accesses under one of 100 locks, to variables
/// of that lock; 15 read variables that only main wrote, before; 6 are to variables of the thread's
/// own, and 4 in 1,000 to variables that nothing protects. Of 10 accesses to all but the second
/// kind 7 read. A variable is 8 bytes and has 4 sites, two that read and two that write, of which
/// one writes 4 bytes only; every 500th variable has the same sites. Which variable is uniformly
/// random.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "data/trace.hpp"

namespace unravel::bench {

class SyntheticTrace {
 public:
  explicit SyntheticTrace(std::uint64_t variables);

  /// The next events; the vector is reused.
  const std::vector<TraceEvent>& next(std::size_t events);

  static constexpr std::uint32_t kThreads = 8;
  static constexpr std::uint64_t kLocks = 100;

 private:
  struct RunnerLease {
    std::uint64_t lock = kLocks;  // the one that it holds; kLocks: none
    std::uint64_t left = 0;       // accesses until it unlocks, or locks
    wire::Clock clock;
  };

  void begin();
  void step(std::uint32_t thread);
  void access(std::uint32_t thread, std::uint64_t variable, bool reads_only);
  TraceEvent& add(std::uint32_t thread, wire::Operation operation, std::uint64_t object);

  std::uint64_t variables_;
  Random random_{1};
  std::array<RunnerLease, kThreads + 1> workers_;
  std::array<bool, kLocks> locked_{};
  std::uint32_t running_ = 1;
  std::uint64_t turn_left_ = 0;
  std::vector<TraceEvent> events_;
  bool begun_ = false;
};

}  // namespace unravel::bench
