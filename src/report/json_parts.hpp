/// Of what the objects that programs read are made.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/run.hpp"

namespace unravel {

// Fields in the order in which they were put, as documents show them.
using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text);
Json to_json(const Frame& frame);
Json to_json(const Stack& stack);

/// The innermost frame that is the program's own; null if there is none.
Json site_json(const Stack& stack);

/// A row of the interleaving table.
Json to_json(const Step& step);

/// Text of any bytes, as a line.
std::string dump(const Json& json);

}  // namespace unravel
