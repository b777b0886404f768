/// The files whose code a schedule or a trace names, and the places in them.
#pragma once

#include <span>
#include <vector>

#include "data/pack.hpp"
#include "data/schedule.hpp"

namespace unravel {

void pack_modules(Packer& out, std::span<const ModuleId> modules);
std::vector<ModuleId> unpack_modules(Unpacker& in);

void pack_sites(Packer& out, std::span<const wire::Site> sites);
std::vector<wire::Site> unpack_sites(Unpacker& in);

}  // namespace unravel
