/// The result of a prediction.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "data/anomaly.hpp"
#include "data/finding.hpp"

namespace unravel {

/// Numbers of anomalies by kind.
using AnomalyCounts = std::array<std::uint64_t, kAnomalyKinds>;

struct PredictionReport {
  std::uint64_t events = 0;       // of the analysed run
  std::uint64_t kept_events = 0;  // of it, those that other threads can notice
  double seconds = 0;             // of running and analysing
  double analysis_seconds = 0;    // of analysing alone
  std::uint64_t runs = 0;
  std::uint64_t traces = 0;  // analysed: those of runs that went another way, too
  AnomalyCounts predicted{};
  AnomalyCounts seen{};
  AnomalyCounts confirmed{};
  AnomalyCounts refuted{};
  AnomalyCounts no_witness{};
  std::vector<FoundAnomaly> anomalies;  // those that matter most first
  std::vector<FoundFailure> failures;   // each once, whether or not an anomaly led to it
  std::filesystem::path store;          // where their runs are
  std::uint64_t suppressed = 0;
  std::uint64_t not_searched = 0;  // predictions whose witnesses were not all searched for
  bool has_hooks = true;
  bool is_tested = true;  // the analysed run passed or failed
  bool is_cut = false;    // a run was too large to be analysed completely
  bool is_over = true;    // there was nothing left to try
  bool interrupted = false;
  std::optional<Error> trouble;  // the error that ended it; what was found before counts

  /// Whether it has something that a user has to look at.
  [[nodiscard]] bool found_any() const;
};

}  // namespace unravel
