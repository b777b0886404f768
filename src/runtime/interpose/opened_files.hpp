/// Files that the program opens, as inputs. What a file contains is recorded when it is opened, so
/// that reads, mappings and what the C library does with it need no record of their own.
#pragma once

#include "runtime/core/thread.hpp"
#include "runtime/os/dispatch.hpp"

namespace unravel {

bool is_open(long number);

/// Opens a file, or what stands for it in a replay.
long answer_open(Thread& self, const os::CaughtCall& call);

/// A hash of the path at this address, 0: of none.
std::uint64_t hash_of_path(long path);

}  // namespace unravel
