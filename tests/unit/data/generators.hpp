/// Arbitrary values for property tests of what is stored.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <vector>

#include "data/run.hpp"

namespace unravel {

inline std::uint64_t any_number() { return *rc::gen::arbitrary<std::uint64_t>(); }
inline bool any_flag() { return *rc::gen::arbitrary<bool>(); }
inline std::string any_text() { return *rc::gen::string<std::string>(); }

inline std::uint64_t any_below(std::uint64_t limit) {
  return *rc::gen::inRange<std::uint64_t>(0, limit);
}

template <class T, class Make>
std::vector<T> any_number_of(Make make) {
  std::vector<T> values(any_below(20));
  for (T& value : values) value = make();
  return values;
}

inline wire::ThreadId any_thread() {
  wire::ThreadId thread;
  thread.ordinal = *rc::gen::arbitrary<std::uint32_t>();
  thread.process = *rc::gen::arbitrary<std::uint16_t>();
  return thread;
}

inline std::uint64_t any_count() { return any_number() & wire::kMostCount; }

inline wire::Clock any_clock() { return {any_count(), any_count()}; }

inline wire::Operation any_operation() {
  return static_cast<wire::Operation>(any_below(wire::kOperationCount));
}

inline wire::Slice any_slice() {
  wire::Slice slice;
  slice.thread = any_thread();
  slice.until = any_clock();
  slice.site.packed = any_number();
  slice.end = static_cast<wire::End>(any_below(wire::kEndCount));
  slice.pending = any_operation();
  return slice;
}

inline wire::Choice any_choice() {
  wire::Choice choice;
  choice.thread = any_thread();
  choice.clock = any_clock();
  choice.value = any_number() & wire::kMostTime;
  constexpr wire::ChoiceKind kKinds[] = {wire::ChoiceKind::kWaiter, wire::ChoiceKind::kTimeout,
                                         wire::ChoiceKind::kTimePassed,
                                         wire::ChoiceKind::kTimeJump};
  choice.kind = kKinds[any_below(std::size(kKinds))];
  return choice;
}

inline wire::EventPattern any_pattern() {
  wire::EventPattern pattern;
  pattern.site.packed = any_number();
  pattern.object = any_number();
  pattern.occurrence = any_number();
  pattern.operation = any_operation();
  pattern.whose = static_cast<wire::Whose>(any_below(wire::kWhoseCount));
  if (pattern.whose != wire::Whose::kAny) pattern.thread = any_number() % wire::kMostThreadsInRun;
  return pattern;
}

inline wire::ClockSwitch any_clock_switch() {
  wire::ClockSwitch one;
  one.count = any_count();
  one.receiver = any_thread();
  one.has_receiver = any_flag() ? 1 : 0;
  return one;
}

inline wire::Rule any_rule() {
  wire::Rule rule;
  rule.kind = static_cast<wire::RuleKind>(any_below(3));
  rule.switch_probability = static_cast<std::uint32_t>(any_below(wire::kCertain + 1));
  rule.seed = any_number();
  rule.change_point_count = static_cast<std::uint8_t>(any_below(wire::kMostChangePoints + 1));
  for (std::size_t i = 0; i < rule.change_point_count; ++i) rule.change_points[i] = any_count();
  if (any_flag()) return rule;
  rule.drawn_change_points = static_cast<std::uint8_t>(any_below(wire::kMostChangePoints + 1));
  rule.redraws = any_flag() ? 1 : 0;
  rule.length = any_count();
  rule.starving = static_cast<std::uint32_t>(any_below(wire::kCertain + 1));
  return rule;
}

inline ModuleId any_module() {
  return {any_text(), any_flag() ? std::string("0fa1b2") : any_text()};
}

inline Schedule any_schedule() {
  Schedule schedule;
  schedule.slices = any_number_of<wire::Slice>(any_slice);
  schedule.choices = any_number_of<wire::Choice>(any_choice);
  schedule.constraints = any_number_of<wire::Constraint>([] {
    return wire::Constraint{any_pattern(), any_pattern(), any_number()};
  });
  schedule.clock_switches = any_number_of<wire::ClockSwitch>(any_clock_switch);
  schedule.then = any_rule();
  schedule.complete = any_flag();
  schedule.points = static_cast<wire::PointSet>(any_below(4));
  schedule.timeouts = static_cast<wire::Timeouts>(any_below(3));
  schedule.modules = any_number_of<ModuleId>(any_module);
  schedule.time_model = static_cast<wire::TimeModel>(any_below(wire::kTimeModelCount));
  schedule.start = {.clock = {.operations = any_number() & wire::kMostCount,
                              .hooks = any_number() & wire::kMostCount},
                    .time = any_number() & wire::kMostTime,
                    .wait_count = static_cast<std::uint32_t>(any_below(wire::kMostStartWaits + 1))};
  for (std::uint32_t i = 0; i < schedule.start.wait_count; ++i) {
    schedule.start.waits[i] = any_below(wire::kMostTime / wire::kMostStartWaits);
  }
  schedule.cpu_count = static_cast<std::uint32_t>(1 + any_below(wire::kMostCpus));
  schedule.start_realtime = any_number() & wire::kMostTime;
  schedule.start_monotonic = any_number() & wire::kMostTime;
  schedule.addresses_fixed = any_flag();
  schedule.sandboxed = any_flag();
  return schedule;
}

inline Frame any_frame() {
  return {.function = any_text(),
          .file = any_text(),
          .line = *rc::gen::arbitrary<int>(),
          .module = any_text(),
          .offset = any_number(),
          .inlined = any_flag()};
}

inline Stack any_stack() { return any_number_of<Frame>(any_frame); }

inline wire::Event any_event() {
  wire::Event event;
  event.thread = any_thread();
  event.clock = any_clock();
  event.site.packed = any_number();
  event.object = any_number();
  event.value = any_number();
  event.operation = any_operation();
  event.result = static_cast<wire::EventResult>(any_below(wire::kEventResultCount));
  return event;
}

}  // namespace unravel
