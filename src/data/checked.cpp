#include "data/checked.hpp"

namespace unravel {

std::string_view name(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kFixed: return "fixed";
    case CheckVerdict::kStillFails: return "still-fails";
    case CheckVerdict::kNotApplicable: return "not-applicable";
  }
  __builtin_unreachable();
}

}  // namespace unravel
