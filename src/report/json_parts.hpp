/// Building blocks of the JSON of commands.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/run.hpp"

namespace unravel {

// Keeps the order of fields, as the documents show them.
using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text);
Json to_json(const Frame& frame);
Json to_json(const Stack& stack);

/// The innermost frame in the program's own code; null if there is none.
Json site_json(const Stack& stack);

Json to_json(const std::vector<ThreadAtFailure>& threads);
Json to_json(const Failure& failure);

/// A row of the interleaving table.
Json to_json(const Step& step);

/// The text of the object with a newline. Invalid UTF-8 is replaced.
std::string dump(const Json& json);

}  // namespace unravel
