/// The environment that a program is started in: this process's own, or a recorded one.
#pragma once

#include <cstdint>
#include <string>

#include "data/environment.hpp"

namespace unravel {

/// This process's own, without variables that are options of unravel.
Environment current_environment();

/// For a child before it becomes the program: sets umask and limits by system calls alone. A limit
/// that may not be raised comes as close as is permitted. Returns a bit for each such resource.
std::uint32_t enter(const Environment& environment);

/// "RLIMIT_NOFILE".
std::string resource_name(std::uint32_t resource);

}  // namespace unravel
