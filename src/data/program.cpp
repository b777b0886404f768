#include "data/program.hpp"

#include "base/text.hpp"

namespace unravel {

std::string program_text(const Program& program) {
  std::string text;
  for (const std::string& argument : program.arguments) {
    text += (text.empty() ? "" : " ") + clean(argument);
  }
  return text;
}

}  // namespace unravel
