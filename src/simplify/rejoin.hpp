/// A thread that comes to another place than before, when it has done as much as before, took
/// another path on its way. It may still come to that place, earlier or later: then what follows is
/// to be counted from there.
#pragma once

#include "run/laboratory.hpp"
#include "simplify/edits.hpp"

namespace unravel {

/// The first slice of those asked for whose thread was left before something else than it was to
/// be left before, or came to its end instead.
std::optional<std::size_t> first_astray(const Slices& asked, const Slices& made);

/// That slice ends where its thread does come to what it was to be left before, as near as possible
/// to where that was, and its later slices are put off by as much. Nothing if it does not come
/// there.
std::optional<Slices> rejoin(const Slices& asked, std::size_t astray, const std::vector<Act>& acts);

}  // namespace unravel
