/// Loops in which a thread waits for another one by looking at memory: `while (!ready);`.
///
/// Only one thread runs at a time, so such a loop would never end, and there is no call in it at
/// which another thread could get its turn. But a thread whose registers and memory are, after some
/// instructions, what they were before goes round for ever until somebody else changes something:
/// nothing is lost if others run first, wherever in its loop it stands. That is proved here, by
/// going through its loop step by step, before the thread is made to wait.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace unravel {

/// Whether the thread, which has computed for long without a call of ours, was found in such a
/// loop: then it goes on at `entry`, where the runtime lets it wait.
bool leave_spin_loop(pid_t process, pid_t kernel_thread, bool is_own_child, std::uint64_t entry);

}  // namespace unravel
