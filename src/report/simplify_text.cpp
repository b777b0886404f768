#include "report/simplify_text.hpp"

#include <fmt/format.h>

#include "data/print.hpp"
#include "report/places.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

std::string became(std::uint64_t before, std::uint64_t after, std::string_view noun) {
  if (before == after) return plural(after, noun);
  return plural(before, noun) + " became " + std::to_string(after);
}

}  // namespace

std::string place_text(const Place& place) {
  const Frame* own = own_frame(place.stack);
  if (own) return short_place(*own);
  return place.stack.empty() ? "an unknown place" : short_place(place.stack.front());
}

std::string pending_text(const Place& place) {
  if (place.pending == wire::Operation::kNone) return {};
  std::string text = ", before " + std::string(wire::traits(place.pending).name);
  if (!place.variable.empty()) text += " " + clean(short_variable(place.variable));
  return text;
}

std::string simplification_line(const Simplification& simplified) {
  const Cost& before = simplified.before;
  const Cost& after = simplified.after;
  std::string text = became(before.switches, after.switches, "switch") + ", " +
                     became(before.preemptions, after.preemptions, "preemption") + ", " +
                     became(before.threads, after.threads, "thread") + ", " +
                     became(before.steps, after.steps, "step") + "; " +
                     plural(simplified.runs, "run") + fmt::format(", {:.2g} s", simplified.seconds);
  if (simplified.on_record) text += ", on the recorded inputs";
  if (!simplified.complete) text += "; stopped before everything was tried";
  return text;
}

std::string order_line(const OrderCheck& order) {
  if (order.one_thread) return "it fails with one thread: the order of threads does not matter";
  return "it fails under each of " + plural(order.schedules, "schedule") +
         ": the order of threads does not matter";
}

std::string preemptions_text(const Simplification& simplified, Paint paint) {
  if (simplified.preemptions.empty()) {
    return "no preemption is needed: the failure depends on which thread continues when another "
           "one waits or ends\n";
  }
  std::string text;
  for (const Preemption& one : simplified.preemptions) {
    text += "T" + std::to_string(one.place.thread.ordinal) + " is preempted at " +
            paint.bold(clean(place_text(one.place)));
    text += pending_text(one.place) + "; T" + std::to_string(one.to.ordinal) + " continues\n";
  }
  return text;
}

}  // namespace unravel
