/// Is a failure of one build the failure of another?
///
/// A key names source lines, which move whenever something above them is edited. What is left of it
/// without them tells one bug from another well enough: the kind, the function and the file.
#pragma once

#include <string>

#include "data/outcome.hpp"

namespace unravel {

/// The failure's key without what an edit elsewhere changes: line numbers, and offsets of code
/// without source. Of an assertion it has the text as well, since one function may make several.
std::string portable_key(const Failure& failure);

/// Whether both are the same bug, each in its own build of the program.
bool is_same_failure(const Failure& one, const Failure& other);

}  // namespace unravel
