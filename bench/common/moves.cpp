#include "common/moves.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace unravel::bench {

namespace {

using wire::Operation;

constexpr std::uint64_t kNobody = ~std::uint64_t{0};

std::uint64_t mix(std::uint64_t one, std::uint64_t other) {
  std::uint64_t z = one * 0x9e3779b97f4a7c15 + other + 0x7f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

bool is_operation(const TraceEvent& event) {
  return wire::traits(event.operation).counts == wire::Counts::kOperation;
}

bool is_plain_access(const TraceEvent& event) {
  return wire::is_access(event.operation) && event.operation != Operation::kFree;
}

bool only_reads(Operation operation) {
  return operation == Operation::kLoad || operation == Operation::kAtomicLoad;
}

/// The memory of a trace, eight bytes at a time, that more than one thread touches, at least one of
/// them to write.
class SharedMemory {
 public:
  explicit SharedMemory(const std::vector<TraceEvent>& events) {
    for (const TraceEvent& event : events) {
      if (!is_plain_access(event)) continue;
      for (std::uint64_t at = event.object / 8; at * 8 < event.object + event.size; ++at) {
        User& user = users_.try_emplace(at, User{event.thread}).first->second;
        user.several = user.several || user.thread != event.thread;
        user.written = user.written || !only_reads(event.operation);
      }
    }
  }

  [[nodiscard]] bool has(const TraceEvent& event) const {
    for (std::uint64_t at = event.object / 8; at * 8 < event.object + event.size; ++at) {
      const User& user = users_.at(at);
      if (user.several && user.written) return true;
    }
    return false;
  }

 private:
  struct User {
    std::uint32_t thread = 0;
    bool several = false;
    bool written = false;
  };
  std::unordered_map<std::uint64_t, User> users_;
};

/// Fingerprints of states: two are the same if every thread did the same, in the same order as
/// others did what it could see of them (Mazurkiewicz traces). All operations on an object are
/// in order; accesses that only read are not in order with each other.
class Fingerprints {
 public:
  [[nodiscard]] std::uint64_t now() const { return sum_; }

  void create(std::uint32_t creator, std::uint32_t thread) { change(thread, at(creator)); }
  void see_thread(std::uint32_t thread, std::uint32_t other) { change(thread, at(other)); }
  void see(std::uint32_t thread, std::uint64_t what) { change(thread, what); }
  void read(std::uint32_t thread, std::uint64_t object) { change(thread, objects_[object]); }
  void act(std::uint32_t thread, std::uint64_t object) {
    change(thread, objects_[object]);
    objects_[object] = at(thread);
  }

 private:
  std::uint64_t& at(std::uint32_t thread) {
    if (thread >= threads_.size()) threads_.resize(thread + 1);
    return threads_[thread];
  }
  void change(std::uint32_t thread, std::uint64_t by) {
    sum_ -= mix(at(thread), thread);
    at(thread) = mix(at(thread), by);
    sum_ += mix(at(thread), thread);
  }

  std::vector<std::uint64_t> threads_;
  std::unordered_map<std::uint64_t, std::uint64_t> objects_;
  std::uint64_t sum_ = 0;
};

}  // namespace

Moves::Moves(const std::vector<TraceEvent>& events, const std::vector<wire::Site>& sites,
             const Run& run, const Options& options)
    : options_(options), choices_(run.schedule.choices) {
  collect(events, sites);
  add_end(run);
  index();
}

void Moves::collect(const std::vector<TraceEvent>& events, const std::vector<wire::Site>& sites) {
  const SharedMemory shared(events);
  std::vector<Action> begun;           // by thread: what notes told of its next operation
  std::vector<std::uint64_t> hooks;    // of each since its last operation
  std::vector<bool> after;             // it stands at the point after its last operation
  std::vector<wire::Clock> last_done;  // the clock of that point
  const auto make_room = [&](std::uint32_t thread) {
    if (thread < begun.size()) return;
    after.resize(thread + 1);
    begun.resize(thread + 1);
    hooks.resize(thread + 1);
    last_done.resize(thread + 1);
  };

  for (const TraceEvent& event : events) {
    const std::uint32_t self = event.thread;
    make_room(self);
    if (event.operation == Operation::kGiveUp) begun[self].given = event.object;
    if (event.operation == Operation::kWoke) {
      begun[self].woken.push_back(static_cast<std::uint32_t>(event.value));
    }
    if (is_operation(event)) {
      Action action = std::exchange(begun[self], {});
      action.thread = self;
      action.operation = event.operation;
      action.object = event.object;
      action.point = wire::Clock{event.clock.operations - 1, hooks[self] + 1};
      const bool done = event.result == wire::EventResult::kDone;
      action.takes_lock = done && wire::has_effect(event.operation, wire::Effect::kAcquire);
      if (done && wire::has_effect(event.operation, wire::Effect::kRelease))
        action.given = event.object;
      action.waits = event.operation == Operation::kWait ||
                     (event.operation == Operation::kBarrierWait && action.woken.empty());
      if (event.operation == Operation::kCreate) {
        const auto created = static_cast<std::size_t>(event.object);
        if (created >= created_at_.size()) created_at_.resize(created + 1);
        created_at_[created] = sites[event.site].packed;
      }
      actions_.push_back(std::move(action));
      hooks[self] = 0;
      after[self] = wire::traits(event.operation).after;
      last_done[self] = event.clock;
      continue;
    }
    if (wire::traits(event.operation).counts != wire::Counts::kHook) continue;
    hooks[self] = event.clock.hooks;
    if (!is_plain_access(event) || !shared.has(event)) continue;
    Action action{.thread = self,
                  .operation = event.operation,
                  .object = event.object / 8,
                  .point = {},
                  .is_access = true};
    const bool marked = options_.points == wire::PointSet::kAuto &&
                        options_.marks.contains(sites[event.site].packed);
    if (marked || options_.points == wire::PointSet::kMemory) {
      action.point = event.clock;
    } else if (after[self]) {
      action.point = last_done[self];
    }
    after[self] = false;
    actions_.push_back(std::move(action));
  }
}

/// Nobody tells that an operation ends the process: it never comes back.
void Moves::add_end(const Run& run) {
  if (run.schedule.slices.empty()) return;
  const wire::Slice& last = run.schedule.slices.back();
  if (last.pending != Operation::kProcessExit) return;
  actions_.push_back(
      {.thread = last.thread.ordinal, .operation = last.pending, .object = 0, .point = last.until});
}

void Moves::index() {
  States threads(1, State{.exists = true, .ended = false, .waits = false, .ran = true});
  Fingerprints fingerprints;
  for (std::size_t i = 0; i < actions_.size(); ++i) {
    const Action& action = actions_[i];
    const std::uint32_t self = action.thread;
    if (self >= threads.size()) threads.resize(self + 1);
    threads_.push_back(threads);
    states_.push_back(fingerprints.now());
    if (self >= of_thread_.size()) of_thread_.resize(self + 1);
    of_thread_[self].push_back(i);
    if (stretches_.empty() || stretches_.back().thread != self) stretches_.push_back({i, self});

    threads[self].ran = true;
    if (action.is_access) {
      if (only_reads(action.operation)) {
        fingerprints.read(self, action.object);
      } else {
        fingerprints.act(self, action.object);
      }
      continue;
    }
    fingerprints.see(self, static_cast<std::uint64_t>(action.operation));
    if (action.operation == Operation::kCreate) {
      const auto created = static_cast<std::uint32_t>(action.object);
      if (created >= threads.size()) threads.resize(created + 1);
      threads[created].exists = true;
      fingerprints.create(self, created);
    } else if (action.operation == Operation::kJoin) {
      fingerprints.see_thread(self, static_cast<std::uint32_t>(action.object));
    } else if (action.operation == Operation::kExit) {
      threads[self].ended = true;
    } else if (action.object != 0) {
      fingerprints.act(self, action.object);
    }
    if (action.given != 0 && action.given != action.object) fingerprints.act(self, action.given);
    for (const std::uint32_t woken : action.woken) {
      threads[woken].waits = false;
      fingerprints.see_thread(woken, self);
    }
    threads[self].waits = action.waits;
  }
  threads_.push_back(std::move(threads));
  states_.push_back(fingerprints.now());
}

const Moves::Action* Moves::next_of(std::uint32_t thread, std::size_t action) const {
  if (thread >= of_thread_.size()) return nullptr;
  const auto& own = of_thread_[thread];
  const auto found = std::lower_bound(own.begin(), own.end(), action);
  return found == own.end() ? nullptr : &actions_[*found];
}

std::uint64_t Moves::holder(std::uint64_t lock, std::size_t action) const {
  while (action-- > 0) {
    const Action& earlier = actions_[action];
    if (earlier.given == lock) return kNobody;
    if (earlier.takes_lock && earlier.object == lock) return earlier.thread;
  }
  return kNobody;
}

/// As far as this run tells: what it would do next is not known of a thread that never went on.
bool Moves::blocked(std::uint32_t thread, std::size_t action) const {
  if (threads_[action][thread].waits) return true;
  const Action* next = next_of(thread, action);
  if (!next) return false;
  if (next->takes_lock && next->operation != Operation::kTryLock) {
    const std::uint64_t by = holder(next->object, action);
    return by != kNobody && by != thread;
  }
  if (next->operation == Operation::kJoin) {
    return threads_[action][static_cast<std::size_t>(next->object)].live();
  }
  return false;
}

std::uint32_t Moves::needed_after(std::uint32_t to, std::size_t action) const {
  if (options_.needs == Needs::kNothing) return 0;
  std::uint32_t needed = 0;
  const States& threads = threads_[action];
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    if (thread == to || !threads[thread].live()) continue;
    if (options_.needs == Needs::kAllEnded) {
      ++needed;
    } else {
      needed += next_of(thread, action) && !blocked(thread, action);
    }
  }
  return needed;
}

bool Moves::has_earlier_twin(std::uint32_t thread, std::size_t action) const {
  const States& threads = threads_[action];
  if (!options_.alike || threads[thread].ran || thread >= created_at_.size()) return false;
  for (std::uint32_t other = 1; other < thread; ++other) {
    if (threads[other].live() && !threads[other].ran && created_at_[other] == created_at_[thread]) {
      return true;
    }
  }
  return false;
}

std::vector<Move> Moves::before(std::size_t action) const {
  std::vector<Move> moves;
  const Action& next = actions_[action];
  if (action == 0) return moves;  // main is alone
  const bool goes_on = actions_[action - 1].thread == next.thread;
  if (goes_on && !next.point) return moves;
  const std::uint32_t from = actions_[action - 1].thread;
  const States& threads = threads_[action];
  for (std::uint32_t to = 0; to < threads.size(); ++to) {
    if (to == next.thread || to == from) continue;
    if (!threads[to].live() || blocked(to, action)) continue;
    if (has_earlier_twin(to, action)) continue;
    Move move{.actions = action, .before = states_[action], .from = from};
    move.to = to;
    if (goes_on) {
      move.left_at = next.point;
      move.preempts = next.operation != Operation::kExit && next.operation != Operation::kSleep;
    }
    move.still_needed = needed_after(to, action);
    moves.push_back(move);
  }
  add_choices(action, moves);
  return moves;
}

/// Another waiter could have been woken.
void Moves::add_choices(std::size_t action, std::vector<Move>& moves) const {
  const Action& signal = actions_[action];
  for (const wire::Choice& made : choices_) {
    if (made.kind != wire::ChoiceKind::kWaiter || made.thread.ordinal != signal.thread) continue;
    if (signal.is_access || made.clock != signal.point) continue;
    const States& threads = threads_[action];
    for (std::uint32_t waiter = 0; waiter < threads.size(); ++waiter) {
      if (!threads[waiter].waits || waiter == made.value) continue;
      Move move{.actions = action, .before = states_[action], .from = signal.thread};
      move.to = signal.thread;
      move.choice = made;
      move.choice->value = waiter;
      move.still_needed = needed_after(signal.thread, action);
      moves.push_back(move);
    }
  }
}

}  // namespace unravel::bench
