/// A root directory with more entries than that of this machine.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace unravel {

/// The names in `stand_ins` of directories that the root directory has not, or that this user may
/// not enter.
std::vector<std::string> missing_in_root(const std::string& stand_ins);

/// Makes a new root directory for this mount namespace: with an empty directory for each of these
/// names, and with everything else of the old one. On the disk nothing changes.
Result<void> extend_root(const std::vector<std::string>& names);

}  // namespace unravel
