#include "report/difference_text.hpp"

#include <fmt/format.h>

#include "data/print.hpp"
#include "report/failure_text.hpp"
#include "report/places.hpp"
#include "report/simplify_text.hpp"

namespace unravel {

namespace {

std::string who(wire::ThreadId thread) { return print(thread); }

std::string goes_on(const std::optional<wire::ThreadId>& to) {
  return to ? ", and " + who(*to) + " continues" : "";
}

std::string stops_at(const Place& place, Paint paint) {
  return who(place.thread) + " stops at " + paint.bold(clean(place_text(place))) + " (" +
         print(place.thread, place.clock) + pending_text(place) + ")";
}

/// One switch in both runs.
std::string both_sides(const DecidingSwitch& one, Paint paint) {
  std::string text = "switch " + std::to_string(one.number) + "\n";
  text +=
      "  " + paint.red("fails") + " if " +
      (one.failing ? stops_at(*one.failing, paint) + goes_on(one.failing_to) : "it is not made") +
      "\n";
  text +=
      "  " + paint.green("passes") + " if " +
      (one.passing ? stops_at(*one.passing, paint) + goes_on(one.passing_to) : "it is not made") +
      "\n";
  return text;
}

/// One switch of one thread decides: it comes a little earlier or later.
std::string one_place(const DecidingSwitch& one, Paint paint) {
  const bool later = one.passing->clock > one.failing->clock;
  return "it " + paint.red("fails") + " if " + stops_at(*one.failing, paint) +
         goes_on(one.failing_to) + "\nit " + paint.green("passes") + " if " +
         who(one.passing->thread) + " stops one point " + (later ? "later" : "earlier") + ", at " +
         paint.bold(clean(place_text(*one.passing))) + " (" +
         print(one.passing->thread, one.passing->clock) + pending_text(*one.passing) + ")\n";
}

std::string stacks(const DecidingSwitch& one, Paint paint) {
  std::string text;
  if (one.failing && !one.failing->stack.empty()) {
    text += "  where it fails:\n" + stack_text(one.failing->stack, paint);
  }
  if (one.passing && !one.passing->stack.empty()) {
    text += "  where it passes:\n" + stack_text(one.passing->stack, paint);
  }
  return text;
}

std::string side_text(const Conflict::Side& side) {
  return "    " + pad(who(side.place.thread) + " " + clean(side.operation), 20) + " " +
         clean(place_text(side.place)) + " (" + print(side.place.thread, side.place.clock) + ")\n";
}

std::string conflict_text(const Conflict& conflict, Paint paint) {
  std::string text =
      "the switch separates these operations" +
      (conflict.object.empty() ? std::string()
                               : " on " + paint.bold(clean(short_variable(conflict.object)))) +
      ":\n";
  if (conflict.before) text += side_text(*conflict.before);
  text += side_text(conflict.between);
  if (conflict.after) text += side_text(*conflict.after);
  return text;
}

std::string window_text(const Window& window, Paint paint) {
  const std::string thread = who(window.first.thread);
  if (window.points == 1) return thread + " is vulnerable only at this point\n";
  return thread + " is vulnerable from " + paint.bold(clean(place_text(window.first))) + " (" +
         print(window.first.thread, window.first.clock) + ") to " +
         paint.bold(clean(place_text(window.last))) + " (" +
         print(window.last.thread, window.last.clock) + "), " + plural(window.points, "point") +
         "\n";
}

}  // namespace

std::string difference_line(const SmallestDifference& difference) {
  std::string text = std::to_string(difference.deltas_left) + " of " +
                     plural(difference.deltas, "difference") +
                     (difference.deltas_left == 1 ? " decides" : " decide") + ", found in " +
                     plural(difference.tests, "test");
  if (difference.neighbour_tests) {
    text += " (and " + std::to_string(difference.neighbour_tests) + " to find the other run)";
  }
  if (difference.unresolved) text += ", " + std::to_string(difference.unresolved) + " unresolved";
  text += fmt::format(", {:.2g} s", difference.seconds);
  if (!difference.minimal) text += "; there may be a smaller difference";
  return text;
}

std::string difference_text(const SmallestDifference& difference, Paint paint) {
  std::string text;
  const bool one = difference.switches.size() == 1 && difference.flips;
  for (const DecidingSwitch& decides : difference.switches) {
    text += one ? one_place(decides, paint) : both_sides(decides, paint);
    text += stacks(decides, paint);
  }
  for (const std::string& choice : difference.choices) {
    text += "the choice at " + clean(choice) + " differs\n";
  }
  for (const Conflict& conflict : difference.conflicts) text += conflict_text(conflict, paint);
  if (difference.window) text += window_text(*difference.window, paint);
  // A run that could not be stored has no id.
  if (difference.failing.empty() || difference.passing.empty()) return text;
  text += "replay the two runs with `unravel replay " + difference.failing +
          "` and `unravel replay " + difference.passing +
          "`, compare them with `unravel diff --run " + difference.failing + " " +
          difference.passing + "`\n";
  return text;
}

}  // namespace unravel
