#include "data/anomaly.hpp"

#include <algorithm>

namespace unravel {

const char* name(AnomalyKind kind) {
  switch (kind) {
    case AnomalyKind::kRace: return "race";
    case AnomalyKind::kAtomicity: return "atomicity";
    case AnomalyKind::kSet: return "asv";
    case AnomalyKind::kDeadlock: return "deadlock";
    case AnomalyKind::kPattern: return "pattern";
    case AnomalyKind::kOrder: return "order";
  }
  __builtin_unreachable();
}

const char* name(AnomalyStatus status) {
  switch (status) {
    case AnomalyStatus::kConfirmed: return "confirmed";
    case AnomalyStatus::kSeen: return "seen";
    case AnomalyStatus::kRefuted: return "refuted";
    case AnomalyStatus::kNoWitness: return "no witness";
    case AnomalyStatus::kUntried: return "untried";
  }
  __builtin_unreachable();
}

std::string FoundAnomaly::variable() const {
  const auto named = std::find_if(variables.begin(), variables.end(),
                                  [](const std::string& one) { return !one.empty(); });
  return named != variables.end() ? *named : std::string();
}

}  // namespace unravel
