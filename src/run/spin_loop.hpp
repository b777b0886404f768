/// Loops in which a thread waits for another one by reading memory: `while (!ready);`.
///
/// Only one thread runs at a time, so such a loop would never end, and it has no call at which
/// another thread could get the turn. But if registers and memory are the same after some
/// instructions, the thread loops until another thread changes something. Then nothing is lost if
/// others run first, wherever in the loop the thread is. This is proved here by single-stepping
/// through the loop, before the thread is made to wait.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace unravel {

/// Whether the thread, which has computed for long without a call of ours, is in such a loop. If
/// so, it continues at `entry`, where the runtime makes it wait.
bool leave_spin_loop(pid_t process, pid_t kernel_thread, bool is_own_child, std::uint64_t entry);

}  // namespace unravel
