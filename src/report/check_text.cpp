#include "report/check_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace unravel {

namespace {

std::string how(const Checked& checked) {
  const std::string tries =
      checked.neighbours == 1 ? "1 try" : fmt::format("{} tries", checked.neighbours);
  switch (checked.reproduced_by) {
    case ReproducedBy::kSchedule: return "reproduced by its own schedule";
    case ReproducedBy::kConstraints: return "reproduced by its constraints in " + tries;
    case ReproducedBy::kNeighbours: return "reproduced by a schedule near it in " + tries;
    case ReproducedBy::kNothing: break;
  }
  std::string text = "not reproduced in " + tries;
  if (checked.unresolved) text += fmt::format(", {} of them unresolved", checked.unresolved);
  return text;
}

std::string verdict_text(const Checked& checked, const Paint& paint) {
  switch (checked.verdict) {
    case CheckVerdict::kFixed:
      return checked.others.empty()
                 ? paint.green("fixed") + ": " + how(checked)
                 : paint.red("fixed, but fails in another way") + ": " + how(checked);
    case CheckVerdict::kStillFails: return paint.red("still fails") + ": " + how(checked);
    case CheckVerdict::kNotApplicable:
      return paint.yellow("not applicable") + ": " + clean(checked.reason);
  }
  __builtin_unreachable();
}

}  // namespace

std::string check_line(const Checked& checked, const Paint& paint) {
  std::string text = checked.run + " " + verdict_text(checked, paint);
  if (!checked.key.empty()) text += " (" + clean(checked.key) + ")";
  text += "\n";
  for (const OtherFailure& other : checked.others) {
    text += "       another failure was seen" +
            std::string(other.verified ? "" : ", but replays did not reproduce it") + ": run " +
            other.run + ", " + clean(other.key) + "\n";
  }
  return text;
}

std::string check_summary(const std::vector<Checked>& all) {
  if (all.empty())
    return "no failure is stored, so there is nothing to check; `unravel hunt -- PROGRAM` looks "
           "for one\n";
  const auto count = [&](CheckVerdict verdict) {
    return std::count_if(all.begin(), all.end(),
                         [&](const Checked& one) { return one.verdict == verdict; });
  };
  const auto others =
      std::count_if(all.begin(), all.end(), [](const Checked& one) { return !one.others.empty(); });
  return fmt::format("{}: {} fixed{}, {} still failing, {} not applicable\n",
                     plural(all.size(), "run"), count(CheckVerdict::kFixed),
                     others ? fmt::format(" ({} with another failure)", others) : "",
                     count(CheckVerdict::kStillFails), count(CheckVerdict::kNotApplicable));
}

}  // namespace unravel
