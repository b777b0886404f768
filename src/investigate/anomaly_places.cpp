#include "investigate/anomaly_places.hpp"

#include <algorithm>

#include "investigate/simplification.hpp"
#include "run/stop_order.hpp"

namespace unravel {

namespace {

/// Where the thread stands right before its event.
wire::Clock clock_before(const RaceSide& side) {
  if (!wire::is_synchronisation(side.operation)) return side.clock;
  return {side.clock.operations - 1, wire::kBeforeNext};
}

bool is_at(const Probe& probe, const RaceSide& side) {
  const wire::Clock before = clock_before(side);
  if (probe.thread != side.thread) return false;
  if (before.hooks != wire::kBeforeNext) return probe.clock == before;
  return probe.clock.operations == before.operations;
}

/// The probe at a side. Of several stops before one operation, the last is right before it.
const Probe* probe_at(std::span<const Probe> probes, const RaceSide& side) {
  const auto found = std::find_if(probes.rbegin(), probes.rend(),
                                  [&](const Probe& probe) { return is_at(probe, side); });
  return found != probes.rend() && !found->stack.empty() ? &*found : nullptr;
}

void take(const Probe& probe, RaceSide& side) {
  side.stack = probe.stack;
  side.variable = probe.variable;
  if (wire::is_synchronisation(side.operation)) side.variable = without_parts(probe.variable);
}

/// Sides of one variable share its name: not all code has a name for it.
void name_variables(std::span<const std::size_t> numbers, FoundAnomaly& anomaly) {
  anomaly.variables.clear();
  for (std::size_t i = 0; i < anomaly.sides.size(); ++i) {
    if (numbers[i] == anomaly.variables.size()) anomaly.variables.emplace_back();
    std::string& name = anomaly.variables[numbers[i]];
    if (name.empty()) name = anomaly.sides[i].variable;
  }
  for (std::size_t i = 0; i < anomaly.sides.size(); ++i) {
    std::string& name = anomaly.sides[i].variable;
    if (name.empty()) name = anomaly.variables[numbers[i]];
  }
}

/// The threads of a deadlock never get behind their operations.
void stand_still(const Run& run, std::span<const Probe> probes, FoundAnomaly& anomaly) {
  const auto stand = [&](RaceSide& side) {
    if (const Probe* probe = probe_at(probes, side)) side.clock = probe->clock;
    if (!run.failure) return;
    for (const ThreadAtFailure& thread : run.failure->threads) {
      if (thread.thread == side.thread.ordinal && !thread.stack.empty()) side.stack = thread.stack;
    }
  };
  for (RaceSide& side : anomaly.sides) stand(side);
  for (ClipRow& row : anomaly.clip) {
    if (row.is_blocked) stand(row.event);
  }
}

/// All events to look at: the sides, and the rows of the clip.
std::vector<RaceSide*> events_of(FoundAnomaly& anomaly) {
  std::vector<RaceSide*> events;
  for (RaceSide& side : anomaly.sides) events.push_back(&side);
  for (ClipRow& row : anomaly.clip) events.push_back(&row.event);
  return events;
}

}  // namespace

Result<void> place_sides(Pool& pool, const Run& run, std::span<const std::size_t> numbers,
                         FoundAnomaly& anomaly) {
  const std::vector<RaceSide*> events = events_of(anomaly);
  std::vector<wire::StopAt> stops;
  for (const RaceSide* event : events) stops.push_back({event->thread, clock_before(*event)});
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.probes = as_reached(stops, run.schedule.slices);
  const Result<Run> again = pool.submit(std::move(request)).get();
  if (!again) return fail(again.error());
  for (RaceSide* event : events) {
    if (const Probe* probe = probe_at(again->probes, *event)) take(*probe, *event);
  }
  if (anomaly.kind == AnomalyKind::kDeadlock) stand_still(run, again->probes, anomaly);
  name_variables(numbers, anomaly);
  return {};
}

}  // namespace unravel
