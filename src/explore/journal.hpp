/// What a loop has seen, piece by piece: enough to come to the same place without running.
///
/// Strategies propose by seed, knowledge and observations alone. So a loop that is given the
/// observations of an earlier one with the same seed makes the same proposals up to their end, and
/// goes on from there. That takes some 26 bytes a run, so a journal is full some day. From then on
/// only totals are kept: whoever goes on from them has the knowledge and counts of all runs, but
/// strategies that have seen the first part of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/explored.hpp"
#include "data/run.hpp"
#include "data/site_maps.hpp"
#include "explore/knowledge.hpp"

namespace unravel {

/// Where a loop stood, without the runs that brought it there.
struct JournalTotals {
  Explored explored;
  Knowledge known;
};

/// A round of runs, or a traced run.
struct JournalEntry {
  bool is_lesson = false;
  std::vector<RunSummary> runs;                   // outcome, steps, threads, hashes and new pairs
  std::vector<SitePair> pairs;                    // that a lesson showed
  std::map<std::string, std::uint64_t> failures;  // by key
  SiteMaps maps;                                  // of all that was seen by then
  // Instead of runs, pairs and failures: everything up to here, where the journal had no more room.
  std::optional<JournalTotals> totals;
};

std::vector<std::byte> encode(const JournalEntry& entry);
Result<JournalEntry> decode_journal_entry(std::span<const std::byte> bytes);

class Journal {
 public:
  virtual ~Journal() = default;
  /// What comes next of what was seen before; nothing: from now on it has to be run.
  virtual Result<std::optional<JournalEntry>> next() = 0;
  /// An entry with totals takes the place of the one before it that had them.
  virtual Result<void> add(const JournalEntry& entry) = 0;
  /// Whether single rounds are still wanted; else totals.
  [[nodiscard]] virtual bool has_room() const { return true; }
};

}  // namespace unravel
