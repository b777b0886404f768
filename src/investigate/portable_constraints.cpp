#include "investigate/portable_constraints.hpp"

#include <algorithm>

#include "investigate/named_sites.hpp"
#include "investigate/repetition.hpp"
#include "investigate/whole_trace.hpp"
#include "predict/essential_orders.hpp"

namespace unravel {

namespace {

/// Names all sites that the run reached, and those of the orders.
std::vector<NamedSite> name_all(const Trace& trace, const std::vector<EssentialOrder>& orders,
                                const std::vector<ModuleId>& modules) {
  std::set<std::pair<std::uint64_t, wire::Operation>> made;
  for (const TraceEvent& event : trace.events) {
    if (!is_constrainable(event.operation)) continue;
    made.insert({trace.sites[event.site].packed, event.operation});
  }
  for (const EssentialOrder& order : orders) {
    for (const OrderedEvent* side : {&order.first, &order.then}) {
      made.insert({side->site.packed, side->operation});
    }
  }
  std::vector<SiteAndOperation> sites;
  for (const auto& [packed, operation] : made) sites.push_back({wire::Site{packed}, operation});
  return name_sites(sites, modules);
}

}  // namespace

Result<void> find_constraints_of(Run& run, const std::function<Result<Run>(RunRequest)>& run_once) {
  WholeTrace sink;
  RunRequest request;
  request.schedule = run.schedule;
  request.following = wire::Following::kStrict;
  request.trace = wire::TraceLevel::kMemory;
  request.sink = &sink;
  const Result<Run> again = run_once(std::move(request));
  if (!again) return fail(again.error());
  if (!sink.is_whole() || !difference(run, *again).empty()) return {};

  const Trace trace = sink.trace();
  const std::vector<EssentialOrder> orders = essential_orders(trace, run.schedule.slices);
  const std::vector<NamedSite> named = name_all(trace, orders, again->schedule.modules);
  const auto name_of = [&](const OrderedEvent& event) {
    return std::find_if(named.begin(), named.end(), [&](const NamedSite& one) {
      return one.site == event.site && one.operation == event.operation;
    });
  };
  for (const EssentialOrder& order : orders) {
    const auto first = name_of(order.first);
    const auto then = name_of(order.then);
    if (first == named.end() || then == named.end()) continue;
    run.constraints.push_back({portable(*first, order.first.occurrence, named),
                               portable(*then, order.then.occurrence, named)});
  }
  return {};
}

}  // namespace unravel
