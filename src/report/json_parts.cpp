#include "report/json_parts.hpp"

#include "data/print.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

std::string_view result_name(wire::EventResult result) {
  switch (result) {
    case wire::EventResult::kDone: return "done";
    case wire::EventResult::kFailed: return "failed";
    case wire::EventResult::kTimedOut: return "timed out";
    case wire::EventResult::kNotYet: return "not yet";
  }
  __builtin_unreachable();
}

}  // namespace

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json to_json(const Frame& frame) {
  return {{"file", text_or_null(frame.file)},
          {"line", frame.line == 0 ? Json(nullptr) : Json(frame.line)},
          {"function", text_or_null(frame.function)},
          {"module", text_or_null(frame.module)},
          {"offset", frame.offset}};
}

Json to_json(const Stack& stack) {
  Json array = Json::array();
  for (const Frame& frame : stack) array.push_back(to_json(frame));
  return array;
}

Json site_json(const Stack& stack) {
  const Frame* own = own_frame(stack);
  return own ? to_json(*own) : Json(nullptr);
}

Json to_json(const Step& step) {
  const wire::Event& event = step.event;
  return {{"thread", event.thread.ordinal},
          {"clock", print(event.clock)},
          {"operation", wire::traits(event.operation).name},
          {"object", text_or_null(step.object)},
          {"value", text_or_null(step.value)},
          {"result", result_name(event.result)},
          {"site", site_json(step.stack)}};
}

Json to_json(const std::vector<ThreadAtFailure>& threads) {
  Json array = Json::array();
  for (const ThreadAtFailure& thread : threads) {
    array.push_back(
        {{"thread", thread.thread}, {"state", thread.state}, {"stack", to_json(thread.stack)}});
  }
  return array;
}

Json to_json(const Failure& failure) {
  return {{"kind", name(failure.kind)},
          {"detail", failure.detail},
          {"thread", failure.thread},
          {"site", failure.site ? to_json(*failure.site) : Json(nullptr)},
          {"stack", to_json(failure.stack)},
          {"threads", to_json(failure.threads)},
          {"key", failure.key},
          {"weak_key", failure.weak_key}};
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace unravel
