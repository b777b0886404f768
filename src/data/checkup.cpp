#include "data/checkup.hpp"

#include <algorithm>

namespace unravel {

std::string_view name(Source source) {
  switch (source) {
    case Source::kAddress: return "address";
    case Source::kTime: return "time";
    case Source::kRandom: return "random";
    case Source::kInput: return "input";
    case Source::kUncontrolledThread: return "uncontrolled thread";
    case Source::kUnknown: return "unknown";
  }
  __builtin_unreachable();
}

bool Checkup::controlled() const {
  const bool certain = std::any_of(concerns.begin(), concerns.end(), [](const Concern& concern) {
    return concern.weight == Concern::Weight::kCertain;
  });
  return !difference && !certain;
}

}  // namespace unravel
