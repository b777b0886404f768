/// Other names of interposed functions.
#pragma once

#include "runtime/process/runtime.hpp"

/// `name` is the same function as `of`, which is defined in the same file.
#define UNRAVEL_ALIAS(name, of) \
  extern "C" __attribute__((visibility("default"), alias(#of))) decltype(of) name
