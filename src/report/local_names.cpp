#include "report/local_names.hpp"

#include <algorithm>
#include <map>

#include "report/places.hpp"

namespace unravel {

namespace {

/// Without ` in main()`. A number that distinguishes variables of the same name stays.
std::string without_function(const std::string& name) {
  const std::size_t in = name.find(" in ");
  if (in == name.npos) return name;
  const std::size_t number = std::min(name.find(" #", in), name.size());
  return name.substr(0, in) + name.substr(number);
}

}  // namespace

LocalNames::LocalNames(std::span<const Step> steps) {
  std::set<std::string> objects;
  for (const Step& step : steps) objects.insert(short_variable(step.object));
  std::map<std::string, int> called;
  for (const std::string& object : objects) ++called[without_function(object)];
  for (const std::string& object : objects) {
    const std::string alone = without_function(object);
    if (alone != object && called[alone] == 1) names_.push_back({object, alone});
  }
  // `a.b in main()` contains `b in main()`, so longer names come first.
  std::sort(names_.begin(), names_.end(),
            [](const Name& a, const Name& b) { return a.full.size() > b.full.size(); });
}

std::string LocalNames::shortened(std::string text) {
  for (Name& name : names_) {
    const std::size_t at = text.find(name.full);
    const bool is_whole = at != text.npos && (at == 0 || text[at - 1] == ' ');
    if (!is_whole) continue;
    if (name.was_told) text.replace(at, name.full.size(), name.alone);
    name.was_told = true;
    break;  // a row has only one object
  }
  return text;
}

}  // namespace unravel
