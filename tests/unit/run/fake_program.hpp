/// A program that plays the runtime's side of the channel, without scheduling anything: this test
/// executable itself, started again.
#pragma once

#include "data/program.hpp"

namespace unravel {

/// `act` says what it does; see fake_program.cpp.
Program fake_program(const std::string& act);

/// A library that does no harm when it is injected.
std::string harmless_library();

}  // namespace unravel
