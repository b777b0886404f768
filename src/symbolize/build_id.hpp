/// Which build of a program a file is.
#pragma once

#include <optional>
#include <string>

namespace unravel {

/// The build id of an ELF file in hexadecimal; nothing if it has none or cannot be read.
std::optional<std::string> build_id_of(const std::string& path);

}  // namespace unravel
