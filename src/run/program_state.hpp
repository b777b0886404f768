/// All that decides what a program does next, as one number.
///
/// Two equal numbers of a run whose threads only follow each other mean that it goes round for
/// ever. So whatever could make a difference counts: what is not understood gives no number at all.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "run/channel.hpp"
#include "run/failure_stacks.hpp"

namespace unravel {

/// Of a run that stands still with every live thread in a call of ours: the registers that the
/// program gets back, its writable memory without what lies below its stacks, and the positions of
/// its open files. Nothing if a part cannot be read, or if a thread may look at the processor's own
/// clock.
std::optional<std::uint64_t> state_of_program(const Channel& channel, pid_t process,
                                              StackReader& stacks);

/// What of a process's memory counts.
enum class Memory { kOfProgram, kWithRuntime };

/// Its writable memory, of stacks only from their pointers on.
std::optional<std::uint64_t> memory_of(pid_t process, Memory which,
                                       const std::vector<std::uint64_t>& stack_pointers);

}  // namespace unravel
