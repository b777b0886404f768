#include "report/debugger_json.hpp"

#include <map>

#include "data/print.hpp"
#include "report/json_parts.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

std::string_view name(Way way) {
  switch (way) {
    case Way::kHere: return "here";
    case Way::kForward: return "forward";
    case Way::kAgain: return "again";
  }
  return "";
}

std::string_view name(RunPosition::Why why) {
  switch (why) {
    case RunPosition::Why::kPlace: return "place";
    case RunPosition::Why::kSwitch: return "switch";
    case RunPosition::Why::kFailure: return "failure";
    case RunPosition::Why::kDivergence: return "divergence";
    case RunPosition::Why::kElsewhere: return "elsewhere";
  }
  return "";
}

Json json_of(const Error& error) {
  return {{"error", {{"what", error.what}, {"why", error.why}, {"hint", error.hint}}}};
}

Json json_of(const DebuggedRun& run) {
  return {{"run",
           {{"id", run.id},
            {"program", run.program},
            {"points", run.points},
            {"failure", text_or_null(run.failure)},
            {"failing_thread", run.failing_thread ? Json(*run.failing_thread) : Json()},
            {"passing", text_or_null(run.passing)}}}};
}

Json json_of(Way way) { return {{"way", name(way)}}; }

Json json_of(const RunPosition& position) {
  Json told{{"process", position.process},
            {"step", position.step},
            {"points", position.points},
            {"thread", position.thread.ordinal},
            {"kernel_thread", position.kernel_thread},
            {"clock", print(position.thread, position.clock)},
            {"why", name(position.why)},
            {"told", text_or_null(position.told)},
            {"switch", nullptr}};
  if (const std::optional<Switch>& next = position.next_switch) {
    told["switch"] = {{"from", next->from.ordinal},
                      {"at", print(next->from, next->at)},
                      {"to", nullptr},
                      {"why", next->why}};
    if (next->to) told["switch"]["to"] = next->to->ordinal;
  }
  return {{"stopped", std::move(told)}};
}

Json json_of(const std::vector<DebuggedThread>& threads) {
  Json all = Json::array();
  for (const DebuggedThread& thread : threads) {
    all.push_back({{"thread", thread.thread.ordinal},
                   {"kernel_thread", thread.kernel_thread},
                   {"has_turn", thread.has_turn},
                   {"clock", print(thread.thread, thread.clock)},
                   {"state", thread.state},
                   {"object", thread.object},
                   {"waits_for_thread", thread.waits_for_thread},
                   {"holds", thread.held}});
  }
  return {{"threads", std::move(all)}};
}

Json json_of(const DebuggedTable& table) {
  TableRows rows = table_rows(table.run, table.run.steps.size());
  std::size_t operations = 0;
  for (TableRow& row : rows.rows) {
    if (row.kind == TableRow::Kind::kOperation) row.marked = ++operations == table.done;
  }
  std::map<std::uint32_t, std::string> functions;
  for (const Step& step : table.run.steps) {
    std::string& function = functions[step.event.thread.ordinal];
    if (function.empty()) function = thread_function(step.stack);
  }
  return {{"text", render_rows(rows, functions, {}, Paint(false))}};
}

Json json_of(const DebuggedEnd& end) {
  return {{"ended",
           {{"outcome", end.outcome},
            {"reproduced", end.differs.empty()},
            {"differs", text_or_null(end.differs)}}}};
}

Json json_of(const std::string& text) { return {{"text", text}}; }

}  // namespace

std::string debugger_json(const DebuggerAnswer& answer) {
  return std::visit(
      [](const auto& told) {
        return json_of(told).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
      },
      answer);
}

}  // namespace unravel
