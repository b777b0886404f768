#include "report/json_parts.hpp"

#include "symbolize/symbolizer.hpp"

namespace unravel {

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

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace unravel
