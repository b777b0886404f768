#include "data/verification.hpp"

namespace unravel {

std::string Verification::why() const {
  if (verified()) return {};
  std::string text = "it did not come back when it was replayed: " + differs;
  if (!uncontrolled.empty()) text += "; " + uncontrolled + " took part, which is not controlled";
  return text;
}

}  // namespace unravel
