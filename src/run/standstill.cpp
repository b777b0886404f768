#include "run/standstill.hpp"

#include <algorithm>

#include "run/failure_key.hpp"

namespace unravel {
namespace {

using wire::Operation;

// A server may have hundreds of threads, and the first few show what is missing. Chosen by hand.
constexpr std::size_t kMostNamed = 3;

bool comes_from_outside(Operation operation) {
  return wire::traits(operation).outside != wire::Outside::kNever;
}

std::string at_place(const Stack& stack) {
  const Frame* own = own_frame(stack);
  return own ? " at " + describe_place(*own) : "";
}

std::string list(const std::vector<const StillThread*>& threads) {
  std::string text;
  for (std::size_t i = 0; i < std::min(threads.size(), kMostNamed); ++i) {
    const wire::ThreadRecord& record = threads[i]->record;
    text += (i == 0 ? ": T" : ", T") + std::to_string(record.thread.ordinal) + " in " +
            wire::traits(record.pending).name + at_place(threads[i]->stack);
  }
  if (threads.size() > kMostNamed) {
    text += " and " + std::to_string(threads.size() - kMostNamed) + " more";
  }
  return text;
}

Concern concern_about(Standstill standstill) {
  constexpr auto kCertain = Concern::Weight::kCertain;
  switch (standstill) {
    case Standstill::kLoop:
      return {.name = "a loop without synchronisation",
              .weight = kCertain,
              .evidence = {},
              .meaning =
                  "A thread waits for another by looking at memory again and again. Threads are "
                  "switched at synchronisation calls, and it makes none: the other never gets its "
                  "turn.",
              .advice =
                  "Call sched_yield() or std::this_thread::yield() in the loop, or wait for a "
                  "condition variable or a semaphore. If the loop only computes for long, give it "
                  "time: --timeout 60s."};
    case Standstill::kWait:
      return {.name = "a wait that is not controlled",
              .weight = kCertain,
              .evidence = {},
              .meaning =
                  "A thread sleeps in the kernel in a call that unravel does not see, and holds "
                  "the turn meanwhile: no other thread can do what it waits for.",
              .advice =
                  "If another thread is to end the wait, let it go through the C library's "
                  "functions rather than a system call of its own. If it waits for another process "
                  "or the network, give it what it waits for."};
    case Standstill::kOutside:
      return {
          .name = "a wait for something outside",
          .weight = kCertain,
          .evidence = {},
          .meaning =
              "No thread of the program can go on by itself: what it waits for has to come from "
              "somebody else, a client, a peer, a child process or whoever sends a signal, and "
              "did not come in time.",
          .advice =
              "Give it what it waits for: its input (unravel doctor -- PROG < FILE), or a client "
              "(unravel hunt --with COMMAND -- PROG). If it only comes late, give it time: "
              "--timeout 60s."};
  }
  __builtin_unreachable();
}

}  // namespace

std::string_view name(Standstill standstill) {
  switch (standstill) {
    case Standstill::kLoop: return "a loop without synchronisation";
    case Standstill::kWait: return "waiting in a system call that is not controlled";
    case Standstill::kOutside:
      return "every thread waits, and what could end that is outside the program";
  }
  __builtin_unreachable();
}

bool every_thread_waits(std::span<const wire::ThreadRecord> threads) {
  const auto has = [&](wire::ThreadState state) {
    return std::any_of(threads.begin(), threads.end(),
                       [&](const wire::ThreadRecord& thread) { return thread.state == state; });
  };
  return has(wire::ThreadState::kBlocked) && !has(wire::ThreadState::kRunnable);
}

std::vector<const StillThread*> waiting_outside(const std::vector<StillThread>& threads) {
  std::vector<const StillThread*> all, found;
  for (const StillThread& thread : threads) {
    all.push_back(&thread);
    if (comes_from_outside(thread.record.pending)) found.push_back(&thread);
  }
  return found.empty() ? all : found;
}

std::string describe(Standstill standstill, const std::vector<StillThread>& threads) {
  std::string text(name(standstill));
  if (standstill == Standstill::kOutside) return text + list(waiting_outside(threads));
  for (const StillThread& thread : threads) {
    if (thread.has_turn) text += at_place(thread.stack);
  }
  return text + (standstill == Standstill::kWait
                     ? "; meanwhile no other thread gets its turn"
                     : "; without a lock or a yield in it, no other thread gets its turn");
}

std::string describe_waits(std::span<const wire::ThreadRecord> threads,
                           const std::function<Stack(wire::Site)>& stack_at) {
  std::string text;
  std::size_t named = 0;
  std::size_t live = 0;
  for (const wire::ThreadRecord& thread : threads) {
    const bool waits = thread.state == wire::ThreadState::kBlocked;
    if (!waits && thread.state != wire::ThreadState::kRunnable) continue;
    ++live;
    if (named == 2 * kMostNamed) continue;
    ++named;
    text += (text.empty() ? "T" : ", T") + std::to_string(thread.thread.ordinal);
    if (!waits) {
      text += " can go on";
    } else {
      text += std::string(" waits in ") + wire::traits(thread.pending).name +
              at_place(stack_at(thread.site));
    }
  }
  if (live > named) text += " and " + std::to_string(live - named) + " more";
  return text;
}

std::optional<Concern> concern_about_standstill(const Run& run) {
  for (const auto standstill : {Standstill::kLoop, Standstill::kWait, Standstill::kOutside}) {
    if (run.explanation.find(name(standstill)) == std::string::npos) continue;
    Concern concern = concern_about(standstill);
    concern.evidence = run.explanation;
    return concern;
  }
  return std::nullopt;
}

}  // namespace unravel
