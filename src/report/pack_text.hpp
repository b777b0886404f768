/// What `pack` says: as text and as JSON.
#pragma once

#include <string>

#include "data/packed_report.hpp"

namespace unravel {

/// What is in the file, what is not, and how it is used; a line each.
std::string pack_text(const PackedReport& report);

std::string pack_json(const PackedReport& report);

}  // namespace unravel
