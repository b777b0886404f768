/// Repairs an edit after which a thread takes another path: with the same number of operations it
/// is then at another place. It may still reach the old place earlier or later. Then its later
/// slices are counted from there.
#pragma once

#include "run/laboratory.hpp"
#include "simplify/edits.hpp"

namespace unravel {

/// The first slice of `asked` whose thread was switched away before another operation than
/// intended, or ended instead.
std::optional<std::size_t> first_astray(const Slices& asked, const Slices& made);

/// Ends that slice where its thread does reach the intended operation, as near as possible to the
/// old clock, and shifts the thread's later slices by as much. Nothing if the thread does not reach
/// it.
std::optional<Slices> rejoin(const Slices& asked, std::size_t astray, const std::vector<Act>& acts);

}  // namespace unravel
