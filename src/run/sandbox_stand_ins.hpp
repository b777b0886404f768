/// Files that a worker's program sees at paths where this machine has none, or others.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace unravel {

/// Whether a program can be started in this directory as it is.
bool can_enter(const std::string& directory);

/// Adds the directories over which a layer must be mounted, so that what is in `stand_ins` is seen
/// in `directory`: those of this machine that have an entry which it has not, or another file.
Result<void> add_places_of(const std::string& stand_ins, const std::string& directory,
                           std::vector<std::string>& places);

/// Copies the files to `to`, from where they can be a layer. A layer may not lie inside another
/// one, and the store can be anywhere.
Result<void> copy_stand_ins(const std::string& stand_ins, const std::string& to);

}  // namespace unravel
