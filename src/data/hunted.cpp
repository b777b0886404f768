#include "data/hunted.hpp"

#include <algorithm>

namespace unravel {

bool Hunted::failed() const {
  return earlier_failures > 0 ||
         std::any_of(found.begin(), found.end(),
                     [](const FoundFailure& one) { return one.verified(); });
}

Outcome Hunted::outcome() const {
  if (failed()) return Outcome::kFailed;
  return found.empty() && explored.tested() ? Outcome::kPassed : Outcome::kUnresolved;
}

Reason Hunted::reason() const {
  if (outcome() != Outcome::kUnresolved) return Reason::kNone;
  return found.empty() ? explored.reason : Reason::kNotReproduced;
}

std::string Hunted::why() const {
  if (outcome() != Outcome::kUnresolved) return {};
  if (found.empty()) return explored.why_unresolved;
  const FoundFailure& one = found.front();
  return one.verification ? one.verification->why() : "it was not replayed";
}

bool Hunted::has_nothing_to_interleave() const {
  return reason() == Reason::kNoSecondThread || reason() == Reason::kChildren ||
         reason() == Reason::kSkipped;
}

const FoundFailure* Hunted::unproved(bool is_our_fault) const {
  for (const FoundFailure& one : found) {
    if (one.verified()) continue;
    if ((one.verification && one.verification->is_our_fault()) == is_our_fault) return &one;
  }
  return nullptr;
}

}  // namespace unravel
