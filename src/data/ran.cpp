#include "data/ran.hpp"

namespace unravel {

Error not_reproduced(const Run& run, const Verification& verification) {
  return {Error::Kind::kInternal,
          "the failure of run " + run.id + " did not come back when it was replayed",
          verification.differs,
          "please report it, with the output of `unravel show --json " + run.id +
              "`; the failure itself did happen"};
}

std::optional<Error> Ran::trouble() const {
  if (not_verified) return not_verified;
  if (verification && verification->is_our_fault()) return not_reproduced(*run, *verification);
  return std::nullopt;
}

Outcome Ran::outcome() const {
  if (is_doubtful()) return Outcome::kUnresolved;
  if (run) return run->summary.outcome;
  return tally && tally->tested() ? Outcome::kPassed : Outcome::kUnresolved;
}

}  // namespace unravel
