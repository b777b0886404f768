/// How and where a run stands still that reaches no more points. Pure: works on observations.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/checkup.hpp"
#include "run/failure_stacks.hpp"

namespace unravel {

enum class Standstill {
  kLoop,     // a thread computes, or reads memory again and again
  kWait,     // a thread sleeps in the kernel, in a call that we do not see
  kOutside,  // every thread waits, at least one for something from outside
};

/// Its name in explanations.
std::string_view name(Standstill standstill);

/// Whether every live thread waits. Then nothing in the program can end it. If nothing outside
/// could end it either, the run has already failed.
bool every_thread_waits(std::span<const wire::ThreadRecord> threads);

/// The threads that something outside the program could let continue. All threads if no operation
/// shows it, as with a lock that is shared with another process.
std::vector<const StillThread*> waiting_outside(const std::vector<StillThread>& threads);

/// "a loop without synchronisation at f a.c:3; …", or "every thread waits, and what could end that
/// is outside the program: T1 in read at f a.c:3". `threads` are all live threads, with the stack
/// of the one that has the turn.
std::string describe(Standstill standstill, const std::vector<StillThread>& threads);

/// "T0 waits in join at main a.c:9, T1 can go on": for a run that took too long although its
/// threads make steps. Places are given where `stack_at` knows them.
std::string describe_waits(std::span<const wire::ThreadRecord> threads,
                           const std::function<Stack(wire::Site)>& stack_at);

/// The concern about a run that stood still; nothing for other runs.
std::optional<Concern> concern_about_standstill(const Run& run);

}  // namespace unravel
