/// Files of programs that stand in for others: a file below the root of stand-ins is used instead
/// of the one with the same absolute path.
///
/// A program that was recorded elsewhere sees them at their recorded paths (run/sandbox_places).
/// The driver reads them where they really are.
#pragma once

#include <string>

namespace unravel {

/// For the whole process; set before a program is started, and empty again when it has ended.
/// Empty: there are none.
void set_root_of_stand_ins(std::string root);

std::string root_of_stand_ins();

/// Where to read the file with this path: its stand-in, or the path itself.
std::string file_for(const std::string& path);

}  // namespace unravel
