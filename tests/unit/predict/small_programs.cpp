#include "unit/predict/small_programs.hpp"

#include <algorithm>
#include <map>

#include "base/random.hpp"
#include "predict/history_builder.hpp"
#include "unit/predict/trace_builder.hpp"

namespace unravel::small {

namespace {

using Kind = Statement::Kind;

constexpr std::uint64_t kFirstVariable = 0x1000;
constexpr std::uint64_t kFirstLock = 0x2000;

std::uint32_t site_of(Place place) { return 1 + 32u * place.thread + place.statement; }

/// One thread's statements: about four accesses, some in sections that may be nested or crossed.
std::vector<Statement> make_thread(Random& random) {
  std::vector<Statement> statements;
  std::vector<std::uint8_t> held;
  const std::uint64_t accesses = 1 + random.below(3);
  const auto acquire = [&] {
    const auto lock = static_cast<std::uint8_t>(random.below(kLocks));
    if (held.size() == 2 || std::find(held.begin(), held.end(), lock) != held.end()) return;
    held.push_back(lock);
    statements.push_back({.kind = Kind::kAcquire, .object = lock});
  };
  const auto release = [&] {
    if (held.empty()) return;
    const std::size_t which = random.below(held.size());
    statements.push_back({.kind = Kind::kRelease, .object = held[which]});
    held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
  };
  for (std::uint64_t i = 0; i < accesses; ++i) {
    if (statements.size() < 3 && random.below(5) < 2) acquire();
    Statement access{.kind = random.below(2) ? Kind::kRead : Kind::kWrite,
                     .object = static_cast<std::uint8_t>(random.below(kVariables)),
                     .value = static_cast<std::uint8_t>(1 + random.below(2))};
    if (access.kind == Kind::kRead && random.below(3) == 0) {
      access.skips = 1;
      access.unless = static_cast<std::uint8_t>(random.below(2));
    }
    statements.push_back(access);
    // Only an access can be skipped: locks stay in pairs.
    if (access.skips) {
      statements.push_back({.kind = random.below(2) ? Kind::kRead : Kind::kWrite,
                            .object = static_cast<std::uint8_t>(random.below(kVariables)),
                            .value = static_cast<std::uint8_t>(1 + random.below(2))});
      ++i;
    }
    if (random.below(2)) release();
  }
  while (!held.empty()) release();
  return statements;
}

}  // namespace

SmallProgram make_program(std::uint64_t seed) {
  for (Random random(seed);;) {
    SmallProgram program;
    std::size_t size = 0;
    for (auto& thread : program) {
      thread = make_thread(random);
      size += thread.size();
    }
    if (size <= 12) return program;
  }
}

bool can_step(const SmallProgram& program, const State& state, std::uint8_t thread) {
  if (state.next[thread] == program[thread].size()) return false;
  const Statement& statement = program[thread][state.next[thread]];
  return statement.kind != Kind::kAcquire || state.owners[statement.object] == 0;
}

std::uint8_t step(const SmallProgram& program, State& state, std::uint8_t thread) {
  const Statement& statement = program[thread][state.next[thread]++];
  switch (statement.kind) {
    case Kind::kAcquire:
      state.owners[statement.object] = static_cast<std::uint8_t>(thread + 1);
      break;
    case Kind::kRelease: state.owners[statement.object] = 0; break;
    case Kind::kWrite: state.values[statement.object] = statement.value; break;
    case Kind::kRead: {
      const std::uint8_t value = state.values[statement.object];
      if (statement.skips && value != statement.unless) {
        state.next[thread] = static_cast<std::uint8_t>(state.next[thread] + statement.skips);
      }
      return value;
    }
  }
  return 0;
}

std::optional<std::vector<Place>> run(const SmallProgram& program, std::uint64_t seed) {
  Random random(seed);
  State state;
  std::vector<Place> places;
  while (true) {
    std::vector<std::uint8_t> able;
    bool is_over = true;
    for (std::uint8_t thread = 0; thread < kThreads; ++thread) {
      is_over &= state.next[thread] == program[thread].size();
      if (can_step(program, state, thread)) able.push_back(thread);
    }
    if (is_over) return places;
    if (able.empty()) return std::nullopt;
    const std::uint8_t thread = able[random.below(able.size())];
    places.push_back({thread, state.next[thread]});
    step(program, state, thread);
  }
}

History history_of(const SmallProgram& program, const std::vector<Place>& run, bool with_values) {
  TraceBuilder trace;
  State state;
  std::array<std::uint64_t, kThreads> operations{};
  std::array<std::uint64_t, kThreads> hooks{};
  for (const Place place : run) {
    const Statement& statement = program[place.thread][place.statement];
    const std::uint8_t read = step(program, state, place.thread);
    const bool is_access = statement.is_access();
    const wire::Operation operation = statement.kind == Kind::kAcquire   ? wire::Operation::kLock
                                      : statement.kind == Kind::kRelease ? wire::Operation::kUnlock
                                      : statement.kind == Kind::kRead    ? wire::Operation::kLoad
                                                                         : wire::Operation::kStore;
    TraceEvent& event = trace.add(
        place.thread, operation,
        is_access ? kFirstVariable + 8 * statement.object : kFirstLock + 64 * statement.object);
    event.site = site_of(place);
    if (is_access) {
      event.size = 8;
      event.has_value = with_values;
      event.value = statement.kind == Kind::kRead ? read : statement.value;
      ++hooks[place.thread];
    } else {
      ++operations[place.thread];
      hooks[place.thread] = 0;
    }
    event.clock = {operations[place.thread], hooks[place.thread]};
  }
  SharedMemory shared;
  shared.take(trace.events);
  HistoryBuilder builder(shared);
  builder.take(trace.events);
  std::vector<wire::Site> sites(128);
  for (std::uint32_t i = 1; i < sites.size(); ++i) sites[i] = wire::Site::of(1, i);
  return builder.finish(std::move(sites));
}

Place place_of(const History& history, EventIndex event) {
  const std::uint32_t site = history.events[event].site - 1;
  return {static_cast<std::uint8_t>(site / 32), static_cast<std::uint8_t>(site % 32)};
}

namespace {

/// Each thread's statements in a run.
using Paths = std::array<std::vector<std::uint8_t>, kThreads>;

Paths paths_of(const std::vector<Place>& run) {
  Paths paths;
  for (const Place place : run) paths[place.thread].push_back(place.statement);
  return paths;
}

bool conflict(const Statement& one, const Statement& other) {
  return one.is_access() && other.is_access() && one.object == other.object &&
         (one.kind == Kind::kWrite || other.kind == Kind::kWrite);
}

/// Visits all runs that follow the paths.
class Explorer {
 public:
  Explorer(const SmallProgram& program, const std::vector<Place>& run)
      : program_(program), paths_(paths_of(run)) {}

  Possible find() {
    // Which accesses came, in which order, decides what a triple is; the rest is the state.
    explore({}, {}, {});
    return std::move(found_);
  }

 private:
  using Done = std::array<std::uint8_t, kThreads>;  // how far along the paths

  void explore(const State& state, const Done& done, std::vector<Place> order) {
    for (std::uint8_t one = 0; one < kThreads; ++one) {
      for (auto other = static_cast<std::uint8_t>(one + 1); other < kThreads; ++other) {
        const auto a = next(state, done, one);
        const auto b = next(state, done, other);
        if (a && b && conflict(at(*a), at(*b))) found_.neighbours.insert({*a, *b});
      }
    }
    for (std::uint8_t thread = 0; thread < kThreads; ++thread) {
      const auto place = next(state, done, thread);
      if (!place || !can_step(program_, state, thread)) continue;
      State then = state;
      Done further = done;
      step(program_, then, thread);
      ++further[thread];
      std::vector<Place> longer = order;
      if (at(*place).is_access()) {
        longer.push_back(*place);
        note_triples(longer);
      }
      if (known_.insert({then, further, longer}).second) explore(then, further, longer);
    }
  }

  /// The next statement, if the thread is still on its path.
  std::optional<Place> next(const State& state, const Done& done, std::uint8_t thread) const {
    if (done[thread] == paths_[thread].size()) return std::nullopt;
    if (paths_[thread][done[thread]] != state.next[thread]) return std::nullopt;
    return Place{thread, state.next[thread]};
  }
  const Statement& at(Place place) const { return program_[place.thread][place.statement]; }

  void note_triples(const std::vector<Place>& order) {
    const Place last = order.back();
    // The access before it of the same thread to the same variable.
    for (std::size_t i = order.size() - 1; i-- > 0;) {
      if (order[i].thread != last.thread || at(order[i]).object != at(last).object) continue;
      for (std::size_t j = i + 1; j + 1 < order.size(); ++j) {
        if (order[j].thread == last.thread) continue;
        if (conflict(at(order[i]), at(order[j])) && conflict(at(order[j]), at(last))) {
          found_.triples.insert({order[i], order[j], last});
        }
      }
      return;
    }
  }

  const SmallProgram& program_;
  const Paths paths_;
  Possible found_;
  std::set<std::tuple<State, Done, std::vector<Place>>> known_;
};

/// Visits all orders of a run's statements that keep sources and the order of sections.
class Preserving {
 public:
  Preserving(const SmallProgram& program, const std::vector<Place>& run)
      : program_(program), run_(run) {
    std::array<std::optional<std::size_t>, kVariables> last;
    for (std::size_t i = 0; i < run.size(); ++i) {
      const Statement& statement = at(i);
      own_[run[i].thread].push_back(i);
      if (statement.kind == Kind::kRead) source_[i] = last[statement.object];
      if (statement.kind == Kind::kWrite) last[statement.object] = i;
    }
  }

  std::set<std::pair<Place, Place>> find() {
    explore({}, {}, {}, {});
    return std::move(found_);
  }

 private:
  using Done = std::array<std::uint8_t, kThreads>;
  using Last = std::array<std::optional<std::size_t>, kVariables>;
  using Held = std::array<bool, kLocks>;
  using Latest = std::array<std::size_t, kLocks>;  // the last section that began, + 1

  const Statement& at(std::size_t i) const { return program_[run_[i].thread][run_[i].statement]; }

  void explore(const Done& done, const Last& last, const Held& held, const Latest& latest) {
    if (!known_.insert({done, last, held, latest}).second) return;
    for (std::size_t one = 0; one < kThreads; ++one) {
      for (std::size_t other = one + 1; other < kThreads; ++other) {
        if (done[one] == own_[one].size() || done[other] == own_[other].size()) continue;
        const std::size_t a = own_[one][done[one]];
        const std::size_t b = own_[other][done[other]];
        if (conflict(at(a), at(b))) found_.insert({run_[a], run_[b]});
      }
    }
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      if (done[thread] == own_[thread].size()) continue;
      const std::size_t i = own_[thread][done[thread]];
      const Statement& statement = at(i);
      Done further = done;
      ++further[thread];
      Last then = last;
      Held holds = held;
      Latest newest = latest;
      switch (statement.kind) {
        case Kind::kAcquire:
          if (held[statement.object] || latest[statement.object] > i) continue;
          holds[statement.object] = true;
          newest[statement.object] = i + 1;
          break;
        case Kind::kRelease: holds[statement.object] = false; break;
        case Kind::kRead:
          if (last[statement.object] != source_.at(i)) continue;
          break;
        case Kind::kWrite: then[statement.object] = i; break;
      }
      explore(further, then, holds, newest);
    }
  }

  const SmallProgram& program_;
  const std::vector<Place>& run_;
  std::array<std::vector<std::size_t>, kThreads> own_;
  std::map<std::size_t, std::optional<std::size_t>> source_;
  std::set<std::pair<Place, Place>> found_;
  std::set<std::tuple<Done, Last, Held, Latest>> known_;
};

}  // namespace

Possible possible(const SmallProgram& program, const std::vector<Place>& run) {
  return Explorer(program, run).find();
}

std::set<std::pair<Place, Place>> sync_preserving_races(const SmallProgram& program,
                                                        const std::vector<Place>& run) {
  return Preserving(program, run).find();
}

Followed follow(const SmallProgram& program, const History& history,
                const std::vector<EventIndex>& order, const Goal& goal) {
  State state;
  std::set<std::uint8_t> changed;  // threads that have read something else than predicted
  std::set<Place> kept;
  for (EventIndex i = 0; i < history.events.size(); ++i) kept.insert(place_of(history, i));
  std::map<std::uint32_t, EventIndex> last;
  for (const EventIndex event : order) {
    const KeptEvent& own = history.events[event];
    const Place place = place_of(history, event);
    const bool is_wanted =
        std::find(goal.events.begin(), goal.events.end(), event) != goal.events.end();
    // What was not kept concerns no other thread.
    while (state.next[place.thread] < place.statement &&
           !kept.contains({place.thread, state.next[place.thread]})) {
      step(program, state, place.thread);
    }
    if (state.next[place.thread] != place.statement || !can_step(program, state, place.thread)) {
      return {.is_whole = false, .may_differ = changed.contains(place.thread)};
    }
    if (own.role == Role::kRead) {
      const auto written = last.find(own.object);
      const EventIndex source = written == last.end() ? kNoEvent : written->second;
      if (is_wanted && source != own.source) changed.insert(place.thread);
    }
    if (own.role == Role::kWrite) last[own.object] = event;
    step(program, state, place.thread);
  }
  return {.is_whole = true};
}

}  // namespace unravel::small
