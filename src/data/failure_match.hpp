/// Whether failures of two builds are the same bug.
///
/// A key names source lines, which move with every edit above them. The rest of the key
/// distinguishes bugs well enough: kind, function and file.
#pragma once

#include <string>

#include "data/outcome.hpp"

namespace unravel {

/// The failure's key without line numbers and without offsets of code that has no source, since
/// edits elsewhere change these. For an assertion it includes the text, since one function may have
/// several.
std::string portable_key(const Failure& failure);

/// Whether both are the same bug, each in its own build.
bool is_same_failure(const Failure& one, const Failure& other);

}  // namespace unravel
