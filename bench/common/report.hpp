/// What a benchmark prints and leaves as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "common/arguments.hpp"

namespace unravel::bench {

using Json = nlohmann::ordered_json;

/// Processor and kernel, on one line.
std::string describe_machine();

/// Writes `figures`, with the benchmark's name and the machine, where that was asked for.
void write_json(const Arguments& arguments, const std::string& benchmark, Json figures);

}  // namespace unravel::bench
