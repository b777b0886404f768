/// The real malloc, calloc, realloc and free.
#pragma once

namespace unravel {

/// Looks them up, unless that is going on already.
void resolve_allocation();

}  // namespace unravel
