#include "report/explanation_json.hpp"

#include "data/print.hpp"
#include "report/json.hpp"
#include "report/json_parts.hpp"

namespace unravel {

namespace {

Json to_json(const Cost& cost) {
  return {{"steps", cost.steps},
          {"threads", cost.threads},
          {"switches", cost.switches},
          {"preemptions", cost.preemptions},
          {"forced", cost.forced()}};
}

Json to_json(const Simplification& simplified) {
  Json preempted = Json::array();
  for (const Preemption& one : simplified.preemptions) {
    preempted.push_back({{"from", one.place.thread.ordinal},
                         {"to", one.to.ordinal},
                         {"clock", print(one.place.clock)},
                         {"site", site_json(one.place.stack)},
                         {"variable", text_or_null(one.place.variable)}});
  }
  return {{"version", kJsonVersion},
          {"run", simplified.run},
          {"from", simplified.from},
          {"before", to_json(simplified.before)},
          {"after", to_json(simplified.after)},
          {"runs", simplified.runs},
          {"rounds", simplified.rounds},
          {"seconds", simplified.seconds},
          {"complete", simplified.complete},
          {"operations",
           {{"remove_last", simplified.remove_last},
            {"consolidate_up", simplified.consolidate_up},
            {"consolidate_down", simplified.consolidate_down}}},
          {"preempted_at", std::move(preempted)}};
}

}  // namespace

std::string simplification_json(const Simplification& simplified) {
  return dump(to_json(simplified));
}

}  // namespace unravel
