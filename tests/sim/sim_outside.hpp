/// What lies outside a simulated program: messages and signals that come at moments of a clock of
/// its own, which goes on while the program waits for it and a little with every step.
///
/// What comes is the program's; when it comes is drawn from a seed, in any order between channels
/// and in the given order in each.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/core/decide.hpp"
#include "sim/sim_code.hpp"

namespace unravel::sim {

class World {
 public:
  World(const std::vector<ArrivalCode>& arrivals, std::uint64_t seed);

  /// The program made a step.
  void pass_a_little();
  /// Waits until something comes, or for `most` nanoseconds; for how long it did.
  std::uint64_t wait(std::uint64_t most);
  /// Nothing will come any more.
  [[nodiscard]] bool is_over() const { return next_ == coming_.size(); }

  [[nodiscard]] bool has(std::uint32_t channel) const;
  /// The oldest message of a channel that has one.
  std::int64_t take(std::uint32_t channel);

  /// The first that came and was not taken; 0: none.
  [[nodiscard]] int arrived_signal() const;
  /// Whether it had come.
  bool take_signal(int signal);
  /// Whether this one, or any if it is 0, is still to come.
  [[nodiscard]] bool signal_will_come(int signal) const;

 private:
  void go_to(std::uint64_t moment);
  std::uint64_t any_gap();

  RuleRandom random_;
  std::uint64_t now_ = 0;
  std::vector<ArrivalCode> coming_;  // in order of time
  std::size_t next_ = 0;             // of these, the first that has not come
  std::map<std::uint32_t, std::vector<std::int64_t>> came_;
};

}  // namespace unravel::sim

namespace unravel {

/// What a thread waits for. Lives in the waiting thread's frame.
struct Outside {
  const sim::World* world = nullptr;
  const std::uint32_t* channels = nullptr;
  std::uint32_t count = 0;
  bool never_restarts = false;  // a signal handler ends the wait, whichever signal it was
};

}  // namespace unravel
