/// The files and code addresses that a schedule or a trace names.
#pragma once

#include <span>
#include <vector>

#include "data/bytes.hpp"
#include "data/schedule.hpp"

namespace unravel {

void write_modules(FieldWriter& out, std::span<const ModuleId> modules);
std::vector<ModuleId> read_modules(FieldReader& in);

void write_sites(FieldWriter& out, std::span<const wire::Site> sites);
std::vector<wire::Site> read_sites(FieldReader& in);

}  // namespace unravel
