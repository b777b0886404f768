/// What is told to the debugger's script: one line of JSON for each answer.
#pragma once

#include <string>

#include "data/debugging.hpp"

namespace unravel {

/// An object with one field, whose name says what was answered, and a newline.
std::string debugger_json(const DebuggerAnswer& answer);

}  // namespace unravel
