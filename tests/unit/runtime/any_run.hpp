/// What property tests of runs draw and require.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "sim/sim_program.hpp"

namespace unravel {

using sim::SimProgram;
using sim::SimRun;
using sim::Steps;

/// Over the whole range from the first case on: small programs are dull.
inline int any_below(int limit) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, limit));
}

inline std::string any_time() {
  const char* const times[] = {" for 1ms", " for 50ms", " for 2s"};
  return any_below(3) == 0 ? times[any_below(3)] : "";
}

inline void add(Steps& steps, const Steps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
}

inline wire::Rule any_rule() {
  wire::Rule rule{.kind = static_cast<wire::RuleKind>(any_below(3)),
                  .switch_probability = any_below(2) ? wire::kCertain : 0,
                  .seed = *rc::gen::arbitrary<std::uint64_t>()};
  if (rule.kind == wire::RuleKind::kPriority) {
    rule.change_point_count = static_cast<std::uint8_t>(any_below(4));
    std::uint64_t step = 0;
    for (int i = 0; i < rule.change_point_count; ++i) {
      rule.change_points[i] = step += static_cast<std::uint64_t>(1 + any_below(15));
    }
    rule.drawn_change_points = any_below(2) ? 0 : static_cast<std::uint8_t>(any_below(4));
    rule.length = 20;
    rule.redraws = static_cast<std::uint8_t>(any_below(2));
    rule.starving = any_below(3) ? 0 : wire::kCertain / 3;
  }
  return rule;
}

inline std::string text_of(const SimProgram& program) {
  std::string text;
  for (const sim::SimThread& thread : program.threads) {
    text += "\n" + thread.name + ":";
    for (const std::string& step : thread.steps) text += " " + step + ";";
  }
  if (!program.handler.empty()) text += "\nhandler:";
  for (const std::string& step : program.handler) text += " " + step + ";";
  if (!program.outside.empty()) text += program.has_child ? "\nfrom a child:" : "\noutside:";
  for (const sim::SimArrival& arrival : program.outside) {
    text += " " + arrival.channel + " " + std::to_string(arrival.value) + ";";
  }
  return text;
}

inline void require_same(const SimProgram& program, const SimRun& recorded,
                         const SimRun& replayed) {
  const std::string found = difference(recorded, replayed);
  if (found.empty()) return;
  RC_FAIL(found + text_of(program) + "\nrecorded: " + recorded.slices() + "\n" +
          recorded.choices());
}

inline void require_whole(const SimProgram& program, const SimRun& seen) {
  if (!seen.disagreement.empty()) RC_FAIL(seen.disagreement + text_of(program));
  if (seen.words.kind == wire::LastWords::Kind::kError) {
    RC_FAIL(seen.words.text + text_of(program));
  }
}

}  // namespace unravel
