/// The predicted anomalies of a program, merged by pattern and source lines, and what became of
/// them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/prediction.hpp"
#include "investigate/pursuits.hpp"
#include "predict/suppressions.hpp"
#include "run/pool.hpp"
#include "store/store.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

class Anomalies {
 public:
  /// `patterns` live as long as this.
  Anomalies(const Suppressions& suppressions, const std::vector<Pattern>& patterns)
      : suppressions_(suppressions), patterns_(patterns) {}

  /// The number of the finding that a candidate belongs to.
  std::size_t add(const AnalysedRun& run, const Candidate& candidate);

  /// Whether the run made the predicted events as predicted.
  [[nodiscard]] static bool is_shown(const PursuitAttempt& attempt, const AnalysedRun& base,
                                     const AnalysedRun& run);
  /// Where it parted from the prediction, as a sentence.
  std::string why_not_shown(const PursuitAttempt& attempt, const AnalysedRun& base,
                            const AnalysedRun& run);

  /// `base` is the run that was analysed first: how others end is compared with it.
  void confirm(std::size_t finding, const PursuitAttempt& attempt, const AnalysedRun& run,
               const AnalysedRun& base);
  void refute(std::size_t finding, const PursuitAttempt& attempt, const std::string& why);
  /// One of its instances has no witness.
  void no_witness(std::size_t finding);

  /// Says which marks of atomic regions have no counterpart in the run.
  std::vector<std::string> warnings_about_marks(const AnalysedRun& run);

  /// Stores a run of each anomaly that matters, and finds its stacks and variables.
  Result<void> place(Pool& pool, Store& store, const RunSettings& settings,
                     const std::string& input);

  /// Adds counts and anomalies to the report.
  void tell(PredictionReport& report);

 private:
  struct Entry {
    FoundAnomaly anomaly;
    unsigned harm = 0;  // the lower, the worse
    bool only_if_it_fails = false;
    std::vector<std::size_t> variables;  // a number for that of each side: see place_sides()
    std::optional<Run> run;              // that showed it
  };

  RaceSide side_of(const AnalysedRun& run, EventIndex event);
  std::vector<ClipRow> clip_of(const AnalysedRun& run, const FoundAnomaly& anomaly);
  const Frame& place_of(const Run& run, wire::Site site);

  const Suppressions& suppressions_;
  const std::vector<Pattern>& patterns_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t> by_key_;
  std::unordered_map<std::uint64_t, Frame> frames_;  // by site
  Symbolizer symbolizer_;
};

}  // namespace unravel
