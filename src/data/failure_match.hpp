/// Whether failures of two builds are the same bug.
///
/// A key names source lines, which move with every edit above them. The rest of the key
/// distinguishes bugs well enough: kind, function and file.
#pragma once

#include <string>
#include <string_view>

#include "data/outcome.hpp"

namespace unravel {

/// The failure's key without line numbers and without offsets of code that has no source, since
/// edits elsewhere change these. For an assertion it includes the text, since one function may have
/// several.
std::string portable_key(const Failure& failure);

/// Whether both are the same bug, each in its own build. `kept` may have been written by an earlier
/// version.
bool is_same_failure(const Failure& kept, const Failure& now);

/// Whether both keys mean the same, of one build. `kept` may have been written by an earlier
/// version, in which a lock could be named by the header of the C++ library through which it was
/// called.
bool is_same_key(std::string_view kept, std::string_view now);

}  // namespace unravel
