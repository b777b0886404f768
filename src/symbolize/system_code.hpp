/// What belongs to the language or the system, and not to the program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace unravel {

enum class SystemModule : std::uint8_t {
  kNone,
  kC,         // the C library and what is loaded with it
  kLanguage,  // libraries of the compiler: they work for the program that calls them
};

/// What a file belongs to, by its name.
SystemModule system_module(std::string_view path);

/// Whether a source file is one of the language's or the system's.
bool is_system_file(const std::string& file);

/// The same of a function, by its name.
bool is_system_function(std::string_view function);

/// The same, and none of its template arguments is the program's: no code of the program can have
/// been inlined into it.
bool is_system_throughout(std::string_view function);

}  // namespace unravel
