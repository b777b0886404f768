/// Keeps the constraints of a schedule: a thread that is about to make a `then` waits for the
/// `first`.
///
/// Race-directed testing, generalised from pairs of racing statements (Sen, "Race Directed Random
/// Testing of Concurrent Programs", PLDI 2008) to any operation, object and occurrence. A thread
/// that waits here could run: the rule is only not asked about it. When no other thread is left,
/// the oldest constraint is given up, so that no constraint can bring a run to a standstill.
///
/// A constraint can name threads, by their ordinal or by the order in which they come to its site:
/// workers of a pool run the same lines, and only their numbers tell them apart.
#pragma once

#include <cstdint>

#include "runtime/core/thread.hpp"
#include "runtime/core/thread_set.hpp"
#include "wire/control.hpp"

namespace unravel {

class Constraints {
 public:
  /// `list` lives as long as the run.
  void use(const wire::Constraint* list, std::uint32_t count);
  /// Where the sites of one are in this process; null: not loaded, so that it never matches.
  void resolve(std::uint32_t index, const void* first, const void* then) {
    kept_[index].first = first;
    kept_[index].then = then;
  }
  /// Where the run tells which constraints were kept and which were given up.
  void tell(wire::RunSlot& run) { run_ = &run; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const wire::Constraint& at(std::uint32_t index) const { return list_[index]; }

  /// Whether any may still make a thread wait.
  [[nodiscard]] bool active() const { return active_ != 0; }

  /// `thread` stands before its pending operation: records what that means to the constraints.
  void reached(Thread& thread);

  /// Of `runnable`, all that need not wait. Gives constraints up until there is a thread that does
  /// not just spin, unless `others` (which could be made able to run) has members: then it may be
  /// empty.
  const ThreadSet& allowed(const ThreadSet& runnable, const ThreadSet& others,
                           Thread* const* by_slot, std::uint64_t step);

  /// `thread` is about to make its pending operation.
  void passes(const Thread& thread);

 private:
  struct Kept {
    const void* first = nullptr;  // sites, as addresses
    const void* then = nullptr;
    std::uint64_t firsts = 0;  // so often made
    std::uint64_t thens = 0;
    std::uint64_t since = 0;           // the step at which it first made a thread wait; 0: not yet
    std::uint32_t first_arrivals = 0;  // threads that came to `first`
    std::uint32_t then_arrivals = 0;
  };

  [[nodiscard]] std::uint32_t holding() const;
  void keep(std::uint32_t bit);
  void give_up(std::uint32_t bit);

  const wire::Constraint* list_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t active_ = 0;  // a bit each
  Kept kept_[wire::kMostConstraints];
  wire::RunSlot* run_ = nullptr;
  ThreadSet allowed_;
};

}  // namespace unravel
