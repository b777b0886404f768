/// A hash of everything that decides what a program does next.
///
/// Two equal hashes in a run whose threads take turns without progress mean that it loops for ever.
/// So everything that could make a difference is included; if some part cannot be read, there is no
/// hash.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "run/channel_reading.hpp"
#include "run/failure_stacks.hpp"

namespace unravel {

/// The hash of a stopped run in which every live thread is in a call of ours. It covers the
/// registers that the program gets back, its writable memory except below stack pointers, and the
/// positions of its open files. Nothing if a part cannot be read, or if a thread may read the
/// processor's own clock.
std::optional<std::uint64_t> state_of_program(const ChannelReading& channel, pid_t process,
                                              StackReader& stacks);

/// Which memory of a process is included.
enum class Memory { kOfProgram, kWithRuntime };

/// A hash of the writable memory; stacks only from their stack pointers on.
std::optional<std::uint64_t> memory_of(pid_t process, Memory which,
                                       const std::vector<std::uint64_t>& stack_pointers);

}  // namespace unravel
