/// Places in the source as people name them: `queue.cpp:48 push()`, and the line itself.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace unravel
