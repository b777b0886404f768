/// System calls of the C library and of the program itself, as inputs: what files contain, which
/// exist, what a name server answers.
#pragma once

#include "runtime/os/dispatch.hpp"

namespace unravel {

/// Makes a call and records its answer, or gives the recorded answer instead.
long answer_caught_call(const os::CaughtCall& call);

}  // namespace unravel
