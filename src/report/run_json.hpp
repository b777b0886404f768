/// A run, and a failure with its explanation, as parts of JSON objects.
#pragma once

#include <filesystem>

#include "data/finding.hpp"
#include "report/json.hpp"
#include "report/json_parts.hpp"

namespace unravel {

Json to_json(const Error& error);
Json to_json(ReproducedBy means);
/// Adds why a result is unresolved: a fixed word, and a sentence.
void add_reason(Json& json, Outcome outcome, Reason reason, const std::string& why);

Json to_json(const RunReport& report);
Json to_json(const HuntFailure& failure);

/// `store` is the directory that the failure's run is stored in. `failure` outlives the result.
HuntFailure report_of(const FoundFailure& failure, const std::filesystem::path& store);

}  // namespace unravel
