/// Packed runs as files.
#pragma once

#include <string>

#include "base/result.hpp"
#include "data/packed.hpp"

namespace unravel {

/// Whether `name` names a packed run rather than a run of the store: it has a slash, ends in
/// `.unravel`, or is the name of a file that begins like one.
bool names_pack(const std::string& name);

/// Reads a packed run. Errors name the file. Changes nothing.
Result<PackedRun> read_pack(const std::string& file);

/// Only the user can read the file. It has its name only when all of it is on the disk. A file that
/// exists is replaced only if `replaces`. Returns its size.
Result<std::uint64_t> write_pack(const std::string& file, const PackedRun& packed, bool replaces);

}  // namespace unravel
