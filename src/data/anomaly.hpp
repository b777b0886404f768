/// Anomalies: orders of events that another run may have, and what became of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// A row of the clip: what a thread did around the events of an anomaly.
struct ClipRow {
  RaceSide event;
  bool is_side = false;        // one of the anomaly's own events
  bool is_blocked = false;     // the thread waits there and never gets on
  std::uint64_t left_out = 0;  // events between the row before and this one that are not shown
};

struct FoundAnomaly {
  AnomalyKind kind = AnomalyKind::kRace;
  std::string pattern;          // its name; of deadlocks and orders: empty
  std::string key;              // equal for the same pattern at the same source lines
  std::vector<RaceSide> sides;  // in the predicted order
  // One entry for each variable, in the order in which the sides access them; empty: it has no
  // name. No entries: the sides were not looked at.
  std::vector<std::string> variables;
  std::vector<ClipRow> clip;  // in the order of the run; empty: nothing to show
  AnomalyStatus status = AnomalyStatus::kUntried;
  bool looks_benign = false;  // every run that showed it ended as the analysed one
  std::string rung;           // the method whose run showed it; or the last one that was tried
  std::string why;            // why it is refuted, or what it led to
  std::string run;            // a stored run that shows it; empty: none
  std::optional<Failure> failure;

  /// The first variable that has a name; empty: none has.
  [[nodiscard]] std::string variable() const;
  [[nodiscard]] bool is_confirmed() const { return status == AnomalyStatus::kConfirmed; }
  /// Whether a report names it by itself.
  [[nodiscard]] bool matters() const { return is_confirmed() && !looks_benign; }
};

}  // namespace unravel
