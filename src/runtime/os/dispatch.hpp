/// Catches the system calls that other code than ours makes: the C library's own, and those of the
/// program. The kernel's syscall user dispatch sends SIGSYS for each, to the calling thread itself.
#pragma once

#include <signal.h>

#include <cstdint>

namespace unravel::os {

struct CaughtCall {
  long number = 0;
  long arguments[6] = {};
  std::uintptr_t place = 0;  // the code after the call
};

/// Answers like a system call.
using CallHandler = long (*)(const CaughtCall& call);
/// For a SIGSYS that is none of ours.
using SignalHandler = void (*)(int number, siginfo_t* info, void* context);

/// Begins to catch the calling thread's calls. Returns false if this kernel cannot do it.
bool catch_calls(CallHandler handler, SignalHandler others);
/// The same for another thread, or after a fork, if calls are caught at all.
void catch_calls_here();
/// Catches none of the calling thread's calls until catch_calls_again().
void let_calls_pass();
/// Calls are not caught while a thread or process is being made; the maker calls this afterwards.
void catch_calls_again();

/// Whether the code belongs to the loader, which opens libraries.
bool is_loader(std::uintptr_t place);

}  // namespace unravel::os
