#include "run/memory_names.hpp"

#include <algorithm>
#include <string_view>

namespace unravel {
namespace {

/// Removes members with reserved names from an expression; keeps a suffix such as ` in main()`.
std::string cut_reserved(const std::string& text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool arrow = text.compare(at, 2, "->") == 0;
    const std::size_t member = at + (arrow ? 2 : 1);
    if ((!arrow && text[at] != '.') || !is_reserved(std::string_view(text).substr(member))) {
      continue;
    }
    const std::string behind = text.substr(std::min(text.find(' ', at), text.size()));
    return (arrow ? "*" : "") + text.substr(0, at) + behind;
  }
  return text;
}

}  // namespace

void MemoryNames::record(std::uint64_t address, const VariableName& name) {
  std::vector<VariableName>& names = called_[address];
  if (names.empty()) order_.push_back(address);
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string MemoryNames::alone(std::uint64_t address) const {
  const auto found = called_.find(address);
  if (found == called_.end()) return {};
  const std::vector<VariableName>& names = found->second;
  // A name that is valid everywhere is better than one of a single frame.
  const auto global = std::find_if(names.begin(), names.end(),
                                   [](const VariableName& name) { return !name.is_local; });
  if (global != names.end()) return global->expression;
  const VariableName& first = names.front();
  const auto agrees = [&](auto field) {
    return std::all_of(names.begin(), names.end(),
                       [&](const VariableName& name) { return name.*field == first.*field; });
  };
  if (agrees(&VariableName::expression)) return first.expression;
  // A type alone, such as `int`, does not identify anything.
  const bool tells = first.type.find_first_of(".[") != std::string::npos;
  return tells && agrees(&VariableName::type) ? first.type : std::string();
}

std::string MemoryNames::name(std::uint64_t address) const {
  const std::string own = alone(address);
  if (own.empty()) return own;
  std::size_t before = 0;
  for (const std::uint64_t other : order_) {
    if (other == address) break;
    before += alone(other) == own ? 1 : 0;
  }
  return before == 0 ? own : own + " #" + std::to_string(before + 1);
}

VariableName without_reserved(VariableName name) {
  name.expression = cut_reserved(name.expression);
  name.type = cut_reserved(name.type);
  return name;
}

}  // namespace unravel
