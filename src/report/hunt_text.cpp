#include "report/hunt_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace unravel {

namespace {

// A hunt with fewer runs per second gets advice. Chosen by hand.
constexpr double kSlow = 5;

std::uint64_t failed_runs(const Explored& explored) {
  std::uint64_t runs = 0;
  for (const auto& [key, count] : explored.failures) runs += count;
  return runs;
}

std::string part_line(std::string_view label, const Covered& part, std::string_view what) {
  if (part.total == 0) return {};
  return fmt::format("  {:<10} {} of {} {}\n", label, part.covered, part.total, what);
}

/// A probability with few digits; never 0.
std::string percent(double probability) {
  if (probability < 1e-6) return "one in a million";
  const double hundred = 100 * probability;
  return hundred < 0.1 ? fmt::format("{:.4f} %", hundred) : fmt::format("{:.1f} %", hundred);
}

/// The places that the bound counts.
std::string_view where(wire::PointSet points) {
  switch (points) {
    case wire::PointSet::kSync: break;
    case wire::PointSet::kCalls: return "at synchronisation calls, functions and loops";
    case wire::PointSet::kMemory: return "at synchronisation calls and all memory accesses";
    case wire::PointSet::kAuto: return "at synchronisation calls and conflicting accesses";
  }
  return "at synchronisation calls";
}

}  // namespace

double missed_at_most(const Explored& explored, unsigned depth) {
  const bool has_met = explored.pairs > 0;  // two threads at one object
  return has_met ? explored.pct.missed_at_most(depth, explored.threads) : 1;
}

std::string hunt_line(const Explored& explored) {
  const double rate =
      explored.seconds > 0 ? static_cast<double>(explored.runs) / explored.seconds : 0;
  const std::uint64_t both = explored.data_pairs.covered + explored.sync_pairs.covered;
  const std::uint64_t pairs = explored.data_pairs.total + explored.sync_pairs.total;
  const std::uint64_t failed = failed_runs(explored);
  const bool is_silent = explored.runs > 0 && !explored.tested();
  std::string verdict = failed      ? plural(failed, "failure")
                        : is_silent ? std::string("none of them resolved")
                                    : std::string("no failure");
  if (explored.tested() && explored.unresolved) {
    verdict += fmt::format(", {} unresolved", explored.unresolved);
  }
  return fmt::format("{}, {:.0f}/s, {}, {}, {} of {} in both orders, {}, {:.1f} s",
                     plural(explored.runs, "run"), rate, plural(explored.schedules, "schedule"),
                     plural(explored.behaviours, "behaviour"), both, plural(pairs, "pair"), verdict,
                     explored.seconds);
}

std::string mostly_unresolved(const Explored& explored) {
  if (explored.runs == 0 || 2 * explored.unresolved <= explored.runs) return {};
  std::string text = explored.tested() ? fmt::format("{} of {} are unresolved", explored.unresolved,
                                                     plural(explored.runs, "run"))
                                       : std::string("no run was resolved");
  if (!explored.why_unresolved.empty()) text += ": " + clean(explored.why_unresolved);
  return text;
}

std::string points_warning(const Hunted& hunted) {
  if (hunted.points != wire::PointSet::kSync || hunted.points_given) return {};
  const std::string what = "threads were switched only at synchronisation: ";
  if (hunted.has_hooks) {
    return what +
           "the program that was started has no hooks at memory accesses, but the program that it "
           "executes has; add --points auto to find data races, too";
  }
  return what +
         "the program has no hooks at memory accesses; build it with unravel-cc or unravel-c++ to "
         "find data races, too";
}

std::string slow_warning(const Explored& explored) {
  const double rate = static_cast<double>(explored.runs) / std::max(explored.seconds, 1e-9);
  if (rate >= kSlow) return {};
  return fmt::format("runs are slow ({:.2g} s each, {} in all); use a smaller test or raise --for",
                     1 / std::max(rate, 1e-3), plural(explored.runs, "run"));
}

std::string explored_text(const Explored& explored) {
  std::string text = fmt::format("  {:<10} {}, {}; nothing new in the last {}\n", "explored",
                                 plural(explored.schedules, "distinct interleaving"),
                                 plural(explored.behaviours, "distinct behaviour"),
                                 plural(explored.since_new, "run"));
  text += part_line("accesses", explored.data_pairs, "conflicting pairs met in both orders");
  text += part_line("operations", explored.sync_pairs, "contending pairs met in both orders");
  text += part_line("preempted", explored.functions, "functions with points");
  if (explored.unresolved) {
    text +=
        fmt::format("  {:<10} {}{}\n", "unresolved", plural(explored.unresolved, "run"),
                    explored.why_unresolved.empty() ? "" : ": " + clean(explored.why_unresolved));
  }
  if (missed_at_most(explored, 1) < 1) {
    text += fmt::format(
        "  {:<10} chance that a bug of depth 1 was missed: at most {}; of depth 2: at most {} (PCT "
        "bound, {}, {}, {})\n",
        "missed", percent(missed_at_most(explored, 1)), percent(missed_at_most(explored, 2)),
        plural(explored.threads, "thread"), plural(explored.longest, "step"),
        where(explored.points));
  }
  return text;
}

std::string tests_text(const std::vector<HuntedTest>& tests) {
  std::size_t failed = 0;
  std::map<std::string, std::string> untested;  // names of tests, by reason
  for (const HuntedTest& test : tests) {
    const Hunted& one = test.hunted;
    failed += one.failed();
    if (one.outcome() != Outcome::kUnresolved || !one.found.empty()) continue;
    std::string why = one.why();
    if (one.reason() == Reason::kNoSecondThread) why = "no second thread";
    std::string& names = untested[why.empty() ? "no run was resolved" : why];
    names += (names.empty() ? "" : ", ") + clean(test.name);
  }
  const bool any = std::any_of(tests.begin(), tests.end(), [](const HuntedTest& test) {
    return test.hunted.explored.tested();
  });
  const std::string verdict = failed ? std::to_string(failed) + " failed"
                              : any  ? std::string("no failure")
                                     : std::string("nothing was tested");
  std::string text = "unravel: " + plural(tests.size(), "test") + ", " + verdict + "\n";
  for (const auto& [why, names] : untested) text += "  " + clean(why) + ": " + names + "\n";
  return text;
}

}  // namespace unravel
