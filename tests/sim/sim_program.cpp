#include "sim/sim_program.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "sim/sim_code.hpp"
#include "sim/sim_machine.hpp"

namespace unravel::sim {

namespace {

/// A schedule laid out as it lies in the channel.
class Written {
 public:
  Written(const SimSchedule& schedule, wire::Following following,
          const std::vector<wire::StopAt>& stops,
          const std::vector<wire::Constraint>& constraints) {
    const wire::ScheduleHeader header{.slices = schedule.slices.size(),
                                      .choices = schedule.choices.size(),
                                      .constraints = constraints.size(),
                                      .clock_switches = schedule.clock_switches.size(),
                                      .stops = stops.size(),
                                      .then = schedule.then,
                                      .following = following,
                                      .complete = schedule.complete};
    append(&header, sizeof(header));
    append(schedule.slices.data(), schedule.slices.size() * sizeof(wire::Slice));
    append(schedule.choices.data(), schedule.choices.size() * sizeof(wire::Choice));
    append(constraints.data(), constraints.size() * sizeof(wire::Constraint));
    append(schedule.clock_switches.data(),
           schedule.clock_switches.size() * sizeof(wire::ClockSwitch));
    append(stops.data(), stops.size() * sizeof(wire::StopAt));
  }

  [[nodiscard]] const wire::ScheduleHeader* header() const {
    return reinterpret_cast<const wire::ScheduleHeader*>(words_.data());
  }

 private:
  void append(const void* bytes, std::size_t size) {
    if (size == 0) return;
    const std::size_t begin = words_.size();
    words_.resize(begin + size / sizeof(std::uint64_t));
    std::memcpy(&words_[begin], bytes, size);
  }

  std::vector<std::uint64_t> words_;
};

std::string text_of(wire::ThreadId thread, wire::Clock clock) {
  std::string text = "T" + std::to_string(thread.ordinal) + ":" + std::to_string(clock.operations);
  if (clock.hooks) text += "+" + std::to_string(clock.hooks);
  return text;
}

ProgramCode checked_code(const SimProgram& program) {
  ProgramCode code = compile(program);
  if (code.threads.empty() || code.threads[0].created) {
    throw std::invalid_argument("the first thread is there from the start");
  }
  return code;
}

}  // namespace

wire::Site site_of(std::uint32_t thread, std::size_t step) {
  return wire::Site::of(kModule, site_address(thread, step));
}

std::uint64_t object_of(const SimProgram& program, std::string_view name) {
  const std::vector<std::string> objects = compile(program).objects;
  const auto found = std::find(objects.begin(), objects.end(), name);
  if (found == objects.end()) {
    throw std::invalid_argument("no object is called " + std::string(name));
  }
  return static_cast<std::uint64_t>(found - objects.begin()) + 1;
}

Steps repeat(const Steps& steps, std::size_t times) {
  Steps repeated;
  for (std::size_t i = 0; i < times; ++i) {
    repeated.insert(repeated.end(), steps.begin(), steps.end());
  }
  return repeated;
}

Steps repeat(const char* step, std::size_t times) { return Steps(times, step); }

Steps in_order(Steps first, const Steps& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

std::int64_t SimRun::value(std::string_view name) const {
  for (const auto& [object, last] : objects) {
    if (object == name) return last;
  }
  throw std::invalid_argument("no object is called " + std::string(name));
}

std::string SimRun::slices() const {
  std::string text;
  for (const wire::Slice& slice : schedule.slices) {
    if (!text.empty()) text += ' ';
    text += text_of(slice.thread, slice.until);
  }
  return text;
}

std::string SimRun::clock_switches() const {
  std::string text;
  for (const wire::ClockSwitch& one : clock_form) {
    if (!text.empty()) text += ' ';
    text += std::to_string(one.count) + ">T" + std::to_string(one.receiver.ordinal);
  }
  return text;
}

std::string SimRun::choices() const {
  const char* const kinds[] = {"waiter", "timeout", "spurious", "signal", "external", "weak",
                               "value",  "flush",   "random",   "passed", "jump"};
  std::string text;
  for (const wire::Choice& choice : schedule.choices) {
    if (!text.empty()) text += ", ";
    text += text_of(choice.thread, choice.clock) + " " + kinds[static_cast<int>(choice.kind)] +
            " " + std::to_string(static_cast<std::int64_t>(choice.value));
  }
  return text;
}

std::string difference(const SimRun& one, const SimRun& other) {
  if (one.words.kind != other.words.kind || one.failure() != other.failure() ||
      std::strcmp(one.words.text, other.words.text) != 0) {
    return std::string("the outcomes: ") + other.words.text;
  }
  if (one.slices() != other.slices()) return one.slices() + "  became  " + other.slices();
  if (one.schedule.slices != other.schedule.slices) return "why slices ended";
  if (one.schedule.choices != other.schedule.choices) {
    return one.choices() + "  became  " + other.choices();
  }
  if (one.events != other.events) return "the events";
  if (one.counts.schedule_hash != other.counts.schedule_hash) return "the hashes";
  if (one.counts.steps != other.counts.steps) return "the steps";
  if (one.counts.switches != other.counts.switches) return "the switches";
  if (one.counts.preemptions != other.counts.preemptions) return "the preemptions";
  if (one.now != other.now) return "the time";
  if (one.received != other.received) return "the messages";
  if (one.objects != other.objects) return "the values";
  return {};
}

bool same(const SimRun& one, const SimRun& other) { return difference(one, other).empty(); }

SimRun run(const SimProgram& program, const wire::Rule& rule, const SimLimits& limits) {
  return run(program, SimSchedule{.then = rule}, wire::Following::kNothing, limits);
}

SimRun run(const SimProgram& program, const SimSchedule& schedule, wire::Following following,
           const SimLimits& limits) {
  const ProgramCode code = checked_code(program);
  SimMachine machine(code, limits);
  std::vector<wire::Constraint> constraints = schedule.constraints;
  for (wire::Constraint& one : constraints) {
    one.first.object = machine.address_of_object(one.first.object);
    one.then.object = machine.address_of_object(one.then.object);
  }
  const Written packed(schedule, following, limits.stops, constraints);
  SimRun seen = machine.run(Plan(packed.header()));
  seen.schedule.then = schedule.then;
  return seen;
}

}  // namespace unravel::sim
