#include "cli/exit_status.hpp"

namespace unravel {

namespace {

int rank(int status) {
  switch (status) {
    case kNoFailure: return 0;
    case kUserOrEnvironment: return 1;
    case kFoundFailure: return 2;
    default: return 3;
  }
}

}  // namespace

int graver(int one, int other) { return rank(other) > rank(one) ? other : one; }

int exit_status(const Error& error) {
  return error.kind == Error::Kind::kInternal ? kOurFault : kUserOrEnvironment;
}

int exit_status(Outcome outcome, bool allow_untested) {
  switch (outcome) {
    case Outcome::kPassed: return kNoFailure;
    case Outcome::kUnresolved: return allow_untested ? kNoFailure : kUserOrEnvironment;
    case Outcome::kFailed: return kFoundFailure;
    case Outcome::kDiverged: return kUserOrEnvironment;
    case Outcome::kError: return kOurFault;
  }
  __builtin_unreachable();
}

}  // namespace unravel
