/// The real malloc, calloc, realloc and free.
#pragma once

namespace unravel {

/// Looks them up, unless a look-up is already under way.
void resolve_allocation();

}  // namespace unravel
