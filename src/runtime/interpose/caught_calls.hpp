/// System calls of the C library and of the program itself, as inputs: what files contain, which
/// exist, what a name server answers.
#pragma once

#include "runtime/core/thread.hpp"
#include "runtime/os/dispatch.hpp"
#include "wire/input.hpp"

namespace unravel {

/// Begins to catch the calls of the calling thread, and of all that it makes, if inputs are
/// recorded or replayed with them.
void begin_to_catch_calls(Thread& self, wire::CatchCalls wanted);

/// Makes a call and records its answer, or gives the recorded answer instead.
long answer_caught_call(const os::CaughtCall& call);

}  // namespace unravel
