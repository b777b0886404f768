/// The observations of a hunt, entry by entry: enough to continue it without repeating its runs.
///
/// Strategies propose by seed, knowledge and observations alone. A loop that reads the observations
/// of an earlier one with the same seed therefore makes the same proposals, and continues where
/// that one ended. That takes some 26 bytes a run, so a long hunt fills its journal. From then on
/// only totals are stored. A hunt that continues from totals has the knowledge and counts of all
/// runs, but its strategies have seen only the first part.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/explored.hpp"
#include "data/proposal.hpp"
#include "data/run.hpp"
#include "data/site_maps.hpp"
#include "explore/knowledge.hpp"

namespace unravel {

/// The state of a hunt, without the runs that led to it.
struct JournalTotals {
  Explored explored;
  Knowledge known;
};

/// One round of runs, or one traced run.
struct JournalEntry {
  bool is_lesson = false;
  std::vector<RunSummary> runs;                   // outcome, steps, threads, hashes and new pairs
  std::vector<SitePair> pairs;                    // of a lesson
  std::vector<PredictedRun> predicted;            // from a lesson
  std::map<std::string, std::uint64_t> failures;  // by key
  SiteMaps maps;                                  // of all runs so far
  // Replaces runs, pairs and failures once the journal is full: everything so far.
  std::optional<JournalTotals> totals;
};

std::vector<std::byte> encode(const JournalEntry& entry);
Result<JournalEntry> decode_journal_entry(std::span<const std::byte> bytes);

class Journal {
 public:
  virtual ~Journal() = default;
  /// The next entry of the earlier hunt; nothing: there are no more.
  virtual Result<std::optional<JournalEntry>> next() = 0;
  /// An entry with totals replaces the last entry with totals.
  virtual Result<void> add(const JournalEntry& entry) = 0;
  /// Whether to add single rounds; otherwise only totals.
  [[nodiscard]] virtual bool has_room() const { return true; }
};

}  // namespace unravel
