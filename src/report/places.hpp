/// Places in the source, such as `queue.cpp:48 push()`.
#pragma once

#include <string>
#include <string_view>

#include "data/frame.hpp"

namespace unravel {

/// `Queue<…>::push()`: without parameters and long template arguments.
std::string short_function(std::string_view function);

/// `Queue<…>::count`, `next()::last`: a variable whose scopes are shortened in the same way.
std::string short_variable(std::string_view variable);

/// `queue.cpp:48`; without debug information `program+0x1234`.
std::string short_location(const Frame& frame);

/// `queue.cpp:48 push()`.
std::string short_place(const Frame& frame);

/// The same in at most `columns`: first the function is cut, then the file name, never the line.
std::string fit_place(const Frame& frame, std::size_t columns);

/// `push()  src/queue.cpp:48`, with the file name that the compiler was given.
std::string long_place(const Frame& frame);

}  // namespace unravel
