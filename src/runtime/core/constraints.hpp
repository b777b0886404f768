/// Enforces the constraints of a schedule: a thread that is about to make a `then` waits for the
/// `first`.
///
/// This is race-directed testing, generalised from pairs of racing statements (Sen, "Race Directed
/// Random Testing of Concurrent Programs", PLDI 2008) to any operation, object and occurrence. A
/// thread that waits here could run; it is only hidden from the rule. When no other thread is left,
/// the oldest constraint is given up, so a constraint never blocks a run.
///
/// A constraint can name threads, by ordinal or by the order in which they reach its site: the
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
  /// Sets the addresses of a constraint's sites in this process; null: not loaded, so it never
  /// matches.
  void resolve(std::uint32_t index, const void* first, const void* then) {
    kept_[index].first = first;
    kept_[index].then = then;
  }
  /// Where the run tells which constraints were kept and which were given up.
  void tell(wire::RunSlot& run) { run_ = &run; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const wire::Constraint& at(std::uint32_t index) const { return list_[index]; }

  /// Whether any constraint may still make a thread wait.
  [[nodiscard]] bool active() const { return active_ != 0; }

  /// `thread` stands before its pending operation: records which constraints that concerns.
  void reached(Thread& thread);

  /// The members of `runnable` that need not wait. Gives up constraints until one of them does more
  /// than spin. If `others` (blocked threads that could be made runnable) has members, the result
  /// may be empty.
  const ThreadSet& allowed(const ThreadSet& runnable, const ThreadSet& others,
                           Thread* const* by_slot, std::uint64_t step);

  /// `thread` is about to make its pending operation.
  void passes(const Thread& thread);

 private:
  struct Kept {
    const void* first = nullptr;  // sites, as addresses
    const void* then = nullptr;
    std::uint64_t firsts = 0;  // how often it was made
    std::uint64_t thens = 0;
    std::uint64_t since = 0;           // the step at which it first made a thread wait; 0: not yet
    std::uint32_t first_arrivals = 0;  // how many threads reached `first`
    std::uint32_t then_arrivals = 0;
  };

  [[nodiscard]] std::uint32_t holding() const;
  void keep(std::uint32_t bit);
  void give_up(std::uint32_t bit);

  const wire::Constraint* list_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t active_ = 0;  // one bit per constraint
  Kept kept_[wire::kMostConstraints];
  wire::RunSlot* run_ = nullptr;
  ThreadSet allowed_;
};

}  // namespace unravel
