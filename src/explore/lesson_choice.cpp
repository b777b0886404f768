#include "explore/lesson_choice.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace unravel {

std::vector<std::size_t> LessonChoice::choose(const std::vector<Observation>& round) {
  std::vector<std::size_t> best;
  for (std::size_t i = 0; i < round.size(); ++i) {
    const RunSummary& run = round[i].run;
    const bool is_new = run.new_sites || run.new_pairs;
    if (is_new && run.outcome == Outcome::kPassed) best.push_back(i);
  }
  std::stable_sort(best.begin(), best.end(), [&](std::size_t one, std::size_t other) {
    const RunSummary& a = round[one].run;
    const RunSummary& b = round[other].run;
    return std::tie(a.new_sites, a.new_pairs) > std::tie(b.new_sites, b.new_pairs);
  });

  std::vector<std::size_t> chosen;
  std::unordered_set<std::uint64_t> behaviours;  // several workers may have seen the same behaviour
  for (const std::size_t i : best) {
    if (chosen.size() == kMost) break;
    if (behaviours.insert(round[i].run.behaviour).second) chosen.push_back(i);
  }
  since_ = chosen.empty() ? since_ + round.size() : 0;
  if (since_ < interval_) return chosen;

  // Rather one that did known things in a new order.
  for (const bool wants_new : {true, false}) {
    for (std::size_t i = 0; i < round.size() && chosen.empty(); ++i) {
      const bool fits = round[i].is_new_behaviour || !wants_new;
      if (fits && round[i].run.outcome == Outcome::kPassed) chosen.push_back(i);
    }
  }
  if (!chosen.empty()) since_ = 0;
  return chosen;
}

void LessonChoice::learnt(bool something) {
  interval_ = something ? kOften : std::min(2 * interval_, kSeldom);
}

}  // namespace unravel
