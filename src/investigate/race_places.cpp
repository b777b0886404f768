#include "investigate/race_places.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "predict/event_finder.hpp"
#include "run/stop_order.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

/// The events of a run that took part in races, with their stacks and variables.
class Places {
 public:
  Places(const Run& run, std::span<const wire::Site> sites) : run_(run), sites_(sites) {}

  Result<void> find(Runner& runner, std::span<const Race> races) {
    std::vector<std::uint64_t> places;
    for (const Race& race : races) {
      places.push_back(race.earlier.event);
      places.push_back(race.later.event);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());

    // The detector has only the numbers of the events. One run finds the events, another one stops
    // at each of them.
    EventFinder finder(places);
    TraceDecoder decoder([&](std::span<const TraceEvent> events) { finder.take(events); });
    RunRequest request = again();
    request.trace = wire::TraceLevel::kMemory;
    request.sink = &decoder;
    const Result<Run> second = runner.run(request);
    if (!second) return fail(second.error());
    for (std::size_t i = 0; i < finder.found().size(); ++i) {
      found_.emplace(places[i], finder.found()[i]);
    }
    request = again();
    std::vector<wire::StopAt> stops;
    for (const FoundEvent& one : finder.found()) {
      stops.push_back({.thread = {.ordinal = one.event.thread}, .clock = one.event.clock});
    }
    request.probes = as_reached(stops, run_.schedule.slices);
    if (request.probes.empty()) return {};
    const Result<Run> third = runner.run(request);
    if (!third) return fail(third.error());
    for (const Probe& probe : third->probes) {
      probes_.emplace(std::make_pair(probe.thread.ordinal, probe.clock), probe);
    }
    return {};
  }

  RaceSide side(const RacingAccess& access) {
    RaceSide side;
    side.thread.ordinal = access.thread;
    side.operation =
        is_atomic(access.kind)
            ? (writes(access.kind) ? wire::Operation::kAtomicStore : wire::Operation::kAtomicLoad)
            : (writes(access.kind) ? wire::Operation::kStore : wire::Operation::kLoad);
    side.stack = frames_at(access.site);
    if (const auto event = found_.find(access.event); event != found_.end()) {
      side.operation = event->second.event.operation;
      side.size = event->second.event.size;
      side.clock = event->second.event.clock;
      if (const Probe* probe = probe_of(access)) {
        side.stack = probe->stack;
        side.variable = probe->variable;
      }
    }
    const Frame* own = own_frame(side.stack);
    if (own) side.site = *own;
    if (!own && !side.stack.empty()) side.site = side.stack.front();
    return side;
  }

  /// The variable's name in the accessing code; if unknown, where its memory was allocated.
  std::string variable(const Race& race) {
    for (const RacingAccess& access : {race.later, race.earlier}) {
      const Probe* probe = probe_of(access);
      if (probe && !probe->variable.empty()) return probe->variable;
    }
    const FoundEvent* const event = in_object(race);
    if (!event) return {};
    const HeapObject& object = *event->object;
    const Stack stack = frames_at(object.site);
    const Frame* own = own_frame(stack);
    const Frame& place = own ? *own : stack.front();
    const std::string where = place.file.empty()
                                  ? std::filesystem::path(place.module).filename().string()
                                  : std::filesystem::path(place.file).filename().string() + ":" +
                                        std::to_string(place.line);
    return "byte " + std::to_string(object.offset) + " of the " + std::to_string(object.size) +
           " allocated at " + where +
           (object.index ? " (time " + std::to_string(object.index + 1) + ")" : "");
  }

 private:
  RunRequest again() const {
    RunRequest request;
    request.schedule = run_.schedule;
    request.following = wire::Following::kStrict;
    return request;
  }

  /// The access that tells the byte within an object. A free concerns all bytes, so it comes last.
  const FoundEvent* in_object(const Race& race) const {
    const FoundEvent* found = nullptr;
    for (const RacingAccess& access : {race.later, race.earlier}) {
      const auto event = found_.find(access.event);
      if (event == found_.end() || !event->second.object) continue;
      if (event->second.event.operation != wire::Operation::kFree) return &event->second;
      found = &event->second;
    }
    return found;
  }

  const Probe* probe_of(const RacingAccess& access) const {
    const auto event = found_.find(access.event);
    if (event == found_.end()) return nullptr;
    const auto probe = probes_.find({access.thread, event->second.event.clock});
    return probe != probes_.end() && !probe->second.stack.empty() ? &probe->second : nullptr;
  }

  Stack frames_at(std::uint32_t index) {
    const wire::Site site = index < sites_.size() ? sites_[index] : wire::Site{};
    if (site.module() == wire::kNoModule || site.module() >= run_.schedule.modules.size()) {
      return {Frame{}};
    }
    return symbolizer_.frames(run_.schedule.modules[site.module()].path, site.offset());
  }

  const Run& run_;
  std::span<const wire::Site> sites_;
  std::map<std::uint64_t, FoundEvent> found_;  // by index in the trace
  std::map<std::pair<std::uint32_t, wire::Clock>, Probe> probes_;
  Symbolizer symbolizer_;
};

std::string key_of(const RaceSide& side) {
  const Frame& frame = side.site;
  const std::string function = frame.function.empty() ? "?" : frame.function;
  if (frame.file.empty()) {
    return function + " " + std::filesystem::path(frame.module).filename().string() + "+" +
           std::to_string(frame.offset);
  }
  return function + " " + frame.file + ":" + std::to_string(frame.line);
}

}  // namespace

Result<std::vector<FoundRace>> place_races(Runner& runner, const Run& run,
                                           std::span<const wire::Site> sites,
                                           std::span<const Race> races) {
  Places places(run, sites);
  const Result<void> found = places.find(runner, races);
  if (!found) return fail(found.error());
  std::vector<FoundRace> placed;
  for (const Race& race : races) {
    FoundRace one;
    one.sides[0] = places.side(race.earlier);
    one.sides[1] = places.side(race.later);
    one.variable = places.variable(race);
    one.count = race.count;
    const auto [first, second] = std::minmax({key_of(one.sides[0]), key_of(one.sides[1])});
    one.key = "race: " + first + "; " + second;
    placed.push_back(std::move(one));
  }
  return placed;
}

Result<void> check_hooks(const Program& program) {
  const Instrumentation built = instrumentation_of(program);
  if (built.has_hooks || built.loads_libraries) return {};
  return user_error(
      "'" + program.arguments.front() + "' has no hooks at memory accesses",
      "it was not compiled with -fsanitize=thread, so unravel does not see its accesses",
      "build it with unravel-cc or unravel-c++");
}

}  // namespace unravel
