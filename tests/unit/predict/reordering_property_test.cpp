#include <gtest/gtest.h>

#include <iostream>

#include "predict/candidates.hpp"
#include "predict/witness.hpp"
#include "property/property.hpp"
#include "unit/predict/small_programs.hpp"

namespace unravel {
namespace {

using small::Place;

std::vector<Pattern> all_patterns() {
  std::vector<Pattern> patterns = race_patterns();
  for (Pattern& pattern : conflict_cycles()) patterns.push_back(std::move(pattern));
  return patterns;
}

/// As many instances as there are: nothing is left out.
constexpr CandidateLimits kAll{.instances = 1000};

std::pair<Place, Place> sorted(Place one, Place other) { return std::minmax(one, other); }

std::pair<Place, Place> places_of(const History& history, const Candidate& candidate) {
  return sorted(small::place_of(history, candidate.events()[0]),
                small::place_of(history, candidate.events()[1]));
}

std::string text(const small::SmallProgram& program, const std::vector<Place>& run) {
  std::string text;
  for (std::size_t thread = 0; thread < program.size(); ++thread) {
    text += "T" + std::to_string(thread) + ":";
    for (const small::Statement& one : program[thread]) {
      constexpr const char* kKinds[] = {"acq", "rel", "r", "w"};
      text += " " + std::string(kKinds[static_cast<int>(one.kind)]) + std::to_string(one.object);
      if (one.kind == small::Statement::Kind::kWrite) text += "=" + std::to_string(one.value);
      if (one.skips) text += "?" + std::to_string(one.unless);
    }
    text += "\n";
  }
  for (const Place place : run) {
    text += std::to_string(place.thread) + "." + std::to_string(place.statement) + " ";
  }
  return text + "\n";
}

std::string text(const History& history, const std::vector<EventIndex>& order) {
  std::string text;
  for (const EventIndex event : order) {
    const Place place = small::place_of(history, event);
    text += std::to_string(place.thread) + "." + std::to_string(place.statement) + " ";
  }
  return text + "\n";
}

PROPERTY(Reordering, SoundWitnessesHappen, (std::uint64_t seed)) {
  const small::SmallProgram program = small::make_program(seed);
  const auto run = small::run(program, seed + 1);
  if (!run) return;
  const History history = small::history_of(program, *run, false);
  std::vector<Candidate> candidates = find_patterns(history, all_patterns(), kAll);
  for (Candidate& one : find_lock_cycles(history, kAll)) candidates.push_back(std::move(one));
  for (Candidate& one : find_orders(history, kAll)) candidates.push_back(std::move(one));
  for (const Candidate& candidate : candidates) {
    for (const Rung rung : {Rung::kSyncPreserving, Rung::kLockReordering}) {
      const auto order = witness(history, candidate.goal, rung);
      if (!order) continue;
      const small::Followed followed = small::follow(program, history, *order, candidate.goal);
      RC_LOG() << text(program, *run) << name(rung) << ", goal "
               << text(history, candidate.events()) << text(history, *order);
      RC_ASSERT(followed.is_whole || followed.may_differ);
      // The wanted order is in it.
      if (candidate.goal.kind == Goal::Kind::kStand) continue;
      auto at = order->begin();
      for (const EventIndex event : candidate.events()) {
        at = std::find(at, order->end(), event);
        RC_ASSERT(at != order->end());
      }
    }
  }
}

PROPERTY(Reordering, SyncPreservingFindsExactlyItsClass, (std::uint64_t seed)) {
  const small::SmallProgram program = small::make_program(seed);
  const auto run = small::run(program, seed + 1);
  if (!run) return;
  const History history = small::history_of(program, *run, false);
  std::set<std::pair<Place, Place>> found;
  for (const Candidate& candidate : find_patterns(history, race_patterns(), kAll)) {
    if (witness(history, candidate.goal, Rung::kSyncPreserving)) {
      found.insert(places_of(history, candidate));
    }
  }
  RC_LOG() << text(program, *run);
  RC_ASSERT(found == small::sync_preserving_races(program, *run));
}

PROPERTY(Reordering, DeadlocksThatStandAreReal, (std::uint64_t seed)) {
  const small::SmallProgram program = small::make_program(seed);
  const auto run = small::run(program, seed + 1);
  if (!run) return;
  const History history = small::history_of(program, *run, false);
  for (const Candidate& candidate : find_lock_cycles(history, kAll)) {
    const auto order = witness(history, candidate.goal, Rung::kLockReordering);
    if (!order) continue;
    small::State state;
    for (const EventIndex event : *order) {
      RC_ASSERT(small::can_step(program, state, small::place_of(history, event).thread));
      small::step(program, state, small::place_of(history, event).thread);
    }
    // Nobody of them can go on.
    for (const EventIndex event : candidate.events()) {
      const Place place = small::place_of(history, event);
      RC_ASSERT(state.next[place.thread] == place.statement);
      RC_ASSERT(!small::can_step(program, state, place.thread));
    }
  }
}

// Which of the races and atomicity violations that are possible have a witness that happens.
TEST(Reordering, AllRungsTogetherFindNearlyAll) {
  constexpr Rung kLadder[] = {Rung::kSyncPreserving, Rung::kLockReordering, Rung::kSameValue,
                              Rung::kSpeculative, Rung::kPaper};
  struct Count {
    std::size_t races = 0;
    std::size_t triples = 0;
  };
  Count possible;
  Count found[std::size(kLadder) + 1];
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const small::SmallProgram program = small::make_program(seed);
    const auto run = small::run(program, seed);
    if (!run) continue;
    const History history = small::history_of(program, *run, true);
    const small::Possible all = small::possible(program, *run);
    possible.races += all.neighbours.size();
    possible.triples += all.triples.size();
    std::set<std::pair<Place, Place>> races[std::size(kLadder) + 1];
    std::set<std::array<Place, 3>> triples[std::size(kLadder) + 1];
    const std::vector<Candidate> candidates = find_patterns(history, all_patterns(), kAll);
    for (const Candidate& candidate : candidates) {
      if (candidate.kind == AnomalyKind::kSet) continue;
      for (std::size_t i = 0; i < std::size(kLadder); ++i) {
        Goal goal = candidate.goal;
        if (kLadder[i] == Rung::kPaper && goal.kind == Goal::Kind::kNeighbours) {
          std::sort(goal.events.begin(), goal.events.end());
        }
        const auto order = witness(history, goal, kLadder[i]);
        if (!order) continue;
        const small::Followed followed = small::follow(program, history, *order, goal);
        if (!followed.is_whole) continue;
        const bool is_of_ladder = kLadder[i] != Rung::kPaper;
        const auto insert = [&](std::size_t rung) {
          if (candidate.kind == AnomalyKind::kRace) {
            // A speculative witness may lead to the same two accesses by another way.
            const auto pair = places_of(history, candidate);
            if (all.neighbours.contains(pair)) races[rung].insert(pair);
          } else {
            const std::array<Place, 3> triple = {small::place_of(history, candidate.events()[0]),
                                                 small::place_of(history, candidate.events()[1]),
                                                 small::place_of(history, candidate.events()[2])};
            if (all.triples.contains(triple)) triples[rung].insert(triple);
          }
        };
        insert(i);
        if (is_of_ladder) insert(std::size(kLadder));
      }
    }
    for (std::size_t i = 0; i <= std::size(kLadder); ++i) {
      found[i].races += races[i].size();
      found[i].triples += triples[i].size();
    }
    const std::size_t last = std::size(kLadder);
    if (std::getenv("UNRAVEL_SHOW_MISSES")) {
      for (const auto& pair : all.neighbours) {
        if (races[last].contains(pair)) continue;
        std::cout << "seed " << seed << " race " << +pair.first.thread << "."
                  << +pair.first.statement << " " << +pair.second.thread << "."
                  << +pair.second.statement << "\n"
                  << text(program, *run);
      }
      for (const auto& triple : all.triples) {
        if (triples[last].contains(triple)) continue;
        std::cout << "seed " << seed << " triple";
        for (const Place place : triple)
          std::cout << " " << +place.thread << "." << +place.statement;
        std::cout << "\n" << text(program, *run);
      }
    }
  }
  for (std::size_t i = 0; i <= std::size(kLadder); ++i) {
    std::cout << (i < std::size(kLadder) ? name(kLadder[i]) : "all rungs") << ": races "
              << found[i].races << "/" << possible.races << ", atomicity " << found[i].triples
              << "/" << possible.triples << "\n";
  }
  const Count& all = found[std::size(kLadder)];
  EXPECT_GE(static_cast<double>(all.races), 0.95 * static_cast<double>(possible.races));
  EXPECT_GE(static_cast<double>(all.triples), 0.95 * static_cast<double>(possible.triples));
}

}  // namespace
}  // namespace unravel
