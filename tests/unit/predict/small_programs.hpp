/// Small programs that can be run in every possible order: three threads, nested and crossed locks,
/// branches on what is read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "predict/history.hpp"
#include "predict/reordering.hpp"

namespace unravel::small {

inline constexpr std::size_t kThreads = 3;
inline constexpr std::size_t kVariables = 3;
inline constexpr std::size_t kLocks = 3;

struct Statement {
  enum class Kind { kAcquire, kRelease, kRead, kWrite };
  Kind kind = Kind::kRead;
  std::uint8_t object = 0;
  std::uint8_t value = 0;  // that it writes
  // After a read of another value than this one, the next `skips` statements are skipped.
  std::uint8_t skips = 0;
  std::uint8_t unless = 0;

  [[nodiscard]] bool is_access() const { return kind == Kind::kRead || kind == Kind::kWrite; }
};

using SmallProgram = std::array<std::vector<Statement>, kThreads>;

/// A statement of a thread, by number.
struct Place {
  std::uint8_t thread = 0;
  std::uint8_t statement = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// At most 12 statements that happen.
SmallProgram make_program(std::uint64_t seed);

/// Where a program is.
struct State {
  std::array<std::uint8_t, kThreads> next{};
  std::array<std::uint8_t, kVariables> values{};
  std::array<std::uint8_t, kLocks> owners{};  // thread + 1; 0: nobody

  friend auto operator<=>(const State&, const State&) = default;
};

/// Whether the thread's next statement can happen now.
bool can_step(const SmallProgram& program, const State& state, std::uint8_t thread);
/// Makes it; returns the value that it read.
std::uint8_t step(const SmallProgram& program, State& state, std::uint8_t thread);

/// A run in random order; nothing if it deadlocks.
std::optional<std::vector<Place>> run(const SmallProgram& program, std::uint64_t seed);

/// What prediction keeps of it, with the values that were read if `with_values`.
History history_of(const SmallProgram& program, const std::vector<Place>& run, bool with_values);
/// The statement of an event.
Place place_of(const History& history, EventIndex event);

/// All that runs can show in which each thread makes a beginning of what it made in `run`.
struct Possible {
  std::set<std::pair<Place, Place>> neighbours;  // of conflicting accesses; the lesser first
  std::set<std::array<Place, 3>> triples;        // the first and the last of one thread
};
Possible possible(const SmallProgram& program, const std::vector<Place>& run);

/// The same of orders in which all reads have their values from the same writes, and critical
/// sections of one lock come in their old order.
std::set<std::pair<Place, Place>> sync_preserving_races(const SmallProgram& program,
                                                        const std::vector<Place>& run);

/// Follows an order of events as far as the program goes along. `wanted` may read anything.
struct Followed {
  bool is_whole = false;    // all of it happened
  bool may_differ = false;  // it stopped behind a wanted read of another value
};
Followed follow(const SmallProgram& program, const History& history,
                const std::vector<EventIndex>& order, const Goal& goal);

}  // namespace unravel::small
