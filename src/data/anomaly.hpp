/// What `predict` found: orders of events that another run may have, and what became of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/outcome.hpp"
#include "data/race.hpp"

namespace unravel {

/// What kind of anomaly is predicted.
enum class AnomalyKind : std::uint8_t {
  kRace,
  kAtomicity,
  kSet,  // atomic-set serializability, over two variables
  kDeadlock,
  kPattern,  // the user's
  kOrder,    // two operations in the other order: no anomaly by itself
};
inline constexpr std::size_t kAnomalyKinds = 6;
/// As options and reports call it.
const char* name(AnomalyKind kind);

enum class AnomalyStatus : std::uint8_t {
  kConfirmed,  // a run showed it
  kSeen,       // the analysed run itself shows it
  kRefuted,    // runs were tried, and went another way
  kNoWitness,  // no order of the events leads there
  kUntried,    // the runs were spent before
};
const char* name(AnomalyStatus status);

struct FoundAnomaly {
  AnomalyKind kind = AnomalyKind::kRace;
  std::string pattern;          // its name; of deadlocks and orders: empty
  std::string key;              // equal for the same pattern at the same source lines
  std::string variable;         // empty: it has no name
  std::vector<RaceSide> sides;  // in the predicted order
  AnomalyStatus status = AnomalyStatus::kUntried;
  bool looks_benign = false;  // every run that showed it ended as the analysed one
  std::string rung;           // the method whose run showed it; or the last one that was tried
  std::string why;            // why it is refuted, or what it led to
  std::string run;            // a stored run that shows it; empty: none
  std::optional<Failure> failure;

  [[nodiscard]] bool is_confirmed() const { return status == AnomalyStatus::kConfirmed; }
  /// Whether a report names it by itself.
  [[nodiscard]] bool matters() const { return is_confirmed() && !looks_benign; }
};

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
  std::uint64_t failures = 0;           // distinct ones
  std::uint64_t suppressed = 0;
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
