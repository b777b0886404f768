#include "investigate/atomic_functions.hpp"

#include <algorithm>

#include "predict/suppressions.hpp"
#include "symbolize/debug_info.hpp"
#include "symbolize/function_name.hpp"

namespace unravel {

AtomicFunctions::AtomicFunctions(const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) globs_.push_back({.text = glob});
}

const AtomicFunctions::Ranges& AtomicFunctions::ranges_of(const std::string& module) {
  const auto [known, is_new] = modules_.try_emplace(module);
  Ranges& ranges = known->second;
  if (!is_new) return ranges;
  symbolizer_.debug_info(module).for_each_symbol([&](const DebugInfo::FunctionSymbol& symbol) {
    const std::vector<std::string> names = names_of_symbol(symbol.name);
    for (std::size_t i = 0; i < globs_.size(); ++i) {
      const auto matches = [&](const std::string& name) {
        return glob_matches(globs_[i].text, name);
      };
      if (std::none_of(names.begin(), names.end(), matches)) continue;
      globs_[i].is_name = true;
      Range& range = ranges[symbol.begin];
      range.end = std::max(range.end, symbol.end);
      range.globs.push_back(i);
    }
  });
  return ranges;
}

bool AtomicFunctions::contain(const std::string& module, std::uint64_t offset) {
  const Ranges& ranges = ranges_of(module);
  // The call is before its return address.
  auto range = ranges.lower_bound(offset);
  if (range == ranges.begin() || (--range)->second.end < offset) return false;
  for (const std::size_t glob : range->second.globs) globs_[glob].was_called = true;
  return true;
}

std::vector<std::string> AtomicFunctions::warnings(const std::string& program) {
  std::vector<std::string> warnings;
  if (empty()) return warnings;
  ranges_of(program);
  for (const Glob& glob : globs_) {
    if (glob.was_called) continue;
    warnings.push_back(
        glob.is_name
            ? "no function that matches '" + glob.text +
                  "' was seen: threads did not call it, the compiler inlined it (try -O0 or "
                  "-fno-inline), or it has no hooks"
            : "no function of the program matches '" + glob.text +
                  "': --atomic takes names as in the source, without parameters, such as "
                  "Account::deposit or 'Account::*'");
  }
  return warnings;
}

}  // namespace unravel
