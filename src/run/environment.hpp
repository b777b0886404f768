/// The environment that a program is started in: this process's own, or a recorded one.
#pragma once

#include <cstdint>
#include <string>

#include "data/environment.hpp"

namespace unravel {

/// That of this process, without variables that are options of unravel.
Environment current_environment();

/// Called in the child before it becomes the program. Sets umask and limits with system calls only.
/// A limit that may not be raised is set as high as permitted. Returns a bit for each such
/// resource.
std::uint32_t enter(const Environment& environment);

/// "RLIMIT_NOFILE".
std::string resource_name(std::uint32_t resource);

}  // namespace unravel
