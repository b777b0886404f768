/// The constraints of a schedule as fields of a file.
#pragma once

#include <vector>

#include "data/bytes.hpp"
#include "wire/schedule.hpp"

namespace unravel {

void write_constraints(FieldWriter& out, const std::vector<wire::Constraint>& constraints);
std::vector<wire::Constraint> read_constraints(FieldReader& in);

}  // namespace unravel
