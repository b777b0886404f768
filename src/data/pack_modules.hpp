/// The files whose code a schedule or a trace names.
#pragma once

#include <span>
#include <vector>

#include "data/pack.hpp"
#include "data/schedule.hpp"

namespace unravel {

void pack_modules(Packer& out, std::span<const ModuleId> modules);
std::vector<ModuleId> unpack_modules(Unpacker& in);

}  // namespace unravel
