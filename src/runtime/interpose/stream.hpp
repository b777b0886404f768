/// Streams of stdio, as far as other files need them.
#pragma once

#include <stdio.h>

namespace unravel {

/// Returns when a call that locks `stream` would not wait for another thread.
void await_stream(FILE* stream, const void* site);

}  // namespace unravel
