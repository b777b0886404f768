/// What else could have happened in a run: where a thread could have been left, and for whom.
///
/// Works on the trace of one run. Its actions are what threads see of each other: operations, waits
/// that begin, accesses to memory that more than one thread of the run touches. Everything else a
/// thread does commutes with what others do, so that leaving it right before its next action is
/// as good as leaving it anywhere before.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "data/run.hpp"
#include "data/trace.hpp"

namespace unravel::bench {

/// What the failure that is looked for asks of the threads that do not fail.
enum class Needs : std::uint8_t {
  kNothing,
  kAllBlocked,  // it is a deadlock: whoever can run has to
  kAllEnded,    // main fails when it has joined all others
};

/// One decision that the run did not make.
struct Move {
  std::size_t actions = 0;             // of the run that come before it
  std::uint64_t before = 0;            // fingerprint of the state at which it is made
  std::uint32_t from = 0;              // who ran before
  std::optional<wire::Clock> left_at;  // where that one is left; nothing: it cannot go on
  std::uint32_t to = 0;                // who runs next; `from`, if another waiter is woken
  std::optional<wire::Choice> choice;  // which one
  bool preempts = false;
  std::uint32_t still_needed = 0;  // switches that are needed after it, at least
};

/// One stretch of actions of a thread.
struct Stretch {
  std::size_t first = 0;  // action
  std::uint32_t thread = 0;
};

class Moves {
 public:
  struct Options {
    wire::PointSet points = wire::PointSet::kSync;
    std::set<std::uint64_t> marks;  // packed sites
    Needs needs = Needs::kNothing;
    bool alike = false;  // threads that were created at one site are the same to the failure
  };

  /// `sites` is what the events' sites are indices of.
  Moves(const std::vector<TraceEvent>& events, const std::vector<wire::Site>& sites, const Run& run,
        const Options& options);

  [[nodiscard]] std::size_t actions() const { return actions_.size(); }
  [[nodiscard]] std::uint32_t thread_of(std::size_t action) const {
    return actions_[action].thread;
  }
  /// Of the state before that action; the number of actions stands for the end.
  [[nodiscard]] std::uint64_t fingerprint(std::size_t action) const { return states_[action]; }
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  /// All that can be made right before that action.
  [[nodiscard]] std::vector<Move> before(std::size_t action) const;

 private:
  struct Action {
    std::uint32_t thread = 0;
    wire::Operation operation = wire::Operation::kNone;
    std::uint64_t object = 0;          // of creations and joins a thread
    std::optional<wire::Clock> point;  // right before it
    std::uint64_t given = 0;           // the lock that it gives, as an unlock or a wait does
    std::vector<std::uint32_t> woken = {};
    bool takes_lock = false;
    bool waits = false;  // it begins to
    bool is_access = false;
  };

  /// What is known of a thread between two actions.
  struct State {
    bool exists = false;
    bool ended = false;
    bool waits = false;
    bool ran = false;

    [[nodiscard]] bool live() const { return exists && !ended; }
  };
  using States = std::vector<State>;  // by thread

  void collect(const std::vector<TraceEvent>& events, const std::vector<wire::Site>& sites);
  void add_end(const Run& run);
  void index();
  [[nodiscard]] std::uint64_t holder(std::uint64_t lock, std::size_t action) const;
  [[nodiscard]] const Action* next_of(std::uint32_t thread, std::size_t action) const;
  [[nodiscard]] bool blocked(std::uint32_t thread, std::size_t action) const;
  [[nodiscard]] std::uint32_t needed_after(std::uint32_t to, std::size_t action) const;
  [[nodiscard]] bool has_earlier_twin(std::uint32_t thread, std::size_t action) const;
  void add_choices(std::size_t action, std::vector<Move>& moves) const;

  const Options& options_;
  std::vector<wire::Choice> choices_;
  std::vector<Action> actions_;
  std::vector<States> threads_;                      // before each action
  std::vector<std::uint64_t> states_;                // fingerprints, likewise
  std::vector<std::vector<std::size_t>> of_thread_;  // its actions
  std::vector<std::uint64_t> created_at_;            // site, by thread
  std::vector<Stretch> stretches_;
};

}  // namespace unravel::bench
