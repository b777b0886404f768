/// How a run stands still that reaches no point any more, and where. Pure: told what was seen.
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
  kLoop,     // a thread computes, or looks at memory again and again
  kWait,     // a thread sleeps in the kernel, in a call that we do not see
  kOutside,  // every thread waits, at least one for something that only others can bring
};

/// What an explanation calls it.
std::string_view name(Standstill standstill);

/// Whether every live thread of these waits. Then nothing in the program can end it: where that
/// is so without hope, the run has failed before.
bool every_thread_waits(std::span<const wire::ThreadRecord> threads);

/// The threads whose operation something outside the program could let go on. All of them if
/// none of their operations shows it, as with a lock that is shared with another process.
std::vector<const StillThread*> waiting_outside(const std::vector<StillThread>& threads);

/// "a loop without synchronisation at f a.c:3; …", or "every thread waits, and what could end that
/// is outside the program: T1 in read at f a.c:3". `threads` are all that live, with the stack of
/// whoever has the turn.
std::string describe(Standstill standstill, const std::vector<StillThread>& threads);

/// "T0 waits in join at main a.c:9, T1 can go on": of a run that took too long although its threads
/// make steps. Places are where `stack_at` knows them.
std::string describe_waits(std::span<const wire::ThreadRecord> threads,
                           const std::function<Stack(wire::Site)>& stack_at);

/// What a run that stood still says about the program; nothing for other runs.
std::optional<Concern> concern_about_standstill(const Run& run);

}  // namespace unravel
