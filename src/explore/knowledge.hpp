/// What the runs so far have shown about a program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "data/run.hpp"

namespace unravel {

/// Two sites of different threads whose order may matter: conflicting accesses, or operations that
/// contend for an object.
struct SitePair {
  wire::Site first;
  wire::Site second;
  bool is_data = false;      // memory accesses, atomic or not; otherwise operations
  bool seen_first = false;   // a traced run had `first` before `second`
  bool seen_second = false;  // a traced run had them the other way round
  bool is_shared = false;    // several threads come to each of the two sites

  friend bool operator==(const SitePair&, const SitePair&) = default;
};

struct Knowledge {
  std::uint64_t length = 1;   // steps of a long run; spinning runs hardly count
  std::uint64_t longest = 1;  // steps of the longest resolved run
  std::uint32_t threads = 1;  // of the run with the most threads
  std::vector<SitePair> pairs;

  void add(const RunSummary& run) {
    if (run.outcome == Outcome::kUnresolved) return;
    longest = std::max(longest, run.steps);
    // A single very long run usually had a thread that waited in a loop. Chosen by hand.
    constexpr std::uint64_t kSlowly = 8;
    if (run.steps > length) length += length == 1 ? run.steps - 1 : (run.steps - length) / kSlowly;
    threads = std::max(threads, run.threads);
  }

  /// Adds pairs that are not known yet; returns their number.
  std::size_t add(const std::vector<SitePair>& found) {
    const std::size_t before = pairs.size();
    for (const SitePair& pair : found) {
      const auto same = [&](const SitePair& known) {
        return (known.first == pair.first && known.second == pair.second) ||
               (known.first == pair.second && known.second == pair.first);
      };
      const auto known = std::find_if(pairs.begin(), pairs.end(), same);
      if (known == pairs.end()) {
        pairs.push_back(pair);
      } else {
        const bool turned = known->first != pair.first;
        known->seen_first |= turned ? pair.seen_second : pair.seen_first;
        known->seen_second |= turned ? pair.seen_first : pair.seen_second;
        known->is_shared |= pair.is_shared;
      }
    }
    return pairs.size() - before;
  }
};

}  // namespace unravel
