#include "report/text.hpp"

namespace unravel {

std::string Paint::with(std::string_view code, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace unravel
