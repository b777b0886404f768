/// Places in the source as people name them: `queue.cpp:48 push()`, and the line itself.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/frame.hpp"

namespace unravel {

/// `Queue<…>::push()`: without parameters, and without template arguments where they are long.
std::string short_function(std::string_view function);

/// `Queue<…>::count`, `next()::last`: a variable with the same left out of the scopes it is in.
std::string short_variable(std::string_view variable);

/// `queue.cpp:48`; without debug information `program+0x1234`.
std::string short_location(const Frame& frame);

/// `queue.cpp:48 push()`.
std::string short_place(const Frame& frame);

/// The same in at most `columns`: the function goes first, then the file's name, never the line.
std::string fit_place(const Frame& frame, std::size_t columns);

/// `push()  src/queue.cpp:48`, with the file as the compiler knew it.
std::string long_place(const Frame& frame);

/// Lines of source files, each file read once. They are read as they are now: a file that was
/// edited since the program was built shows other lines.
class SourceLines {
 public:
  /// The line without its indentation; nothing if there is no such line.
  std::optional<std::string> line(const std::string& file, int line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace unravel
