/// Waiting for processes that the program made. It is a step like any other.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/real_time.hpp"

namespace unravel {

namespace {

using wire::Operation;

Outsiders& outsiders() { return runtime().outsiders(); }

struct ChildWish {
  idtype_t type;
  id_t id;
  int options;
};

// --- Children of a record that is served by stream ---

/// The recorded news of a child that fits. Children are known by their ordinals. Null: none.
const wire::InputHead* served_news(const ChildWish& wish, bool stays) {
  const std::uint64_t one =
      wish.type == P_PID ? outsiders().ordinal_of(static_cast<pid_t>(wish.id)) : 0;
  return runtime().served().child(
      [&](std::uint64_t ordinal) {
        if (wish.type == P_PID && ordinal != one) return false;
        return outsiders().child_at(ordinal) != 0;
      },
      stays);
}

/// Whether the program has no such child any more.
bool has_no_child(const ChildWish& wish) {
  Served& served = runtime().served();
  if (wish.type == P_PID) {
    const std::uint64_t ordinal = outsiders().ordinal_of(static_cast<pid_t>(wish.id));
    return ordinal == 0 || served.has_ended(ordinal);
  }
  for (std::uint64_t ordinal = 1; ordinal <= outsiders().children_made(); ++ordinal) {
    if (!served.has_ended(ordinal)) return false;
  }
  return true;
}

bool has_news(const Op&, const Thread& thread) {
  if (comes_from_record(thread)) return ends_in_record(thread);
  if (runtime().inputs().serves()) {
    const auto& wish = *static_cast<const ChildWish*>(thread.wanted);
    return served_news(wish, true) || has_no_child(wish);
  }
  const auto& wish = *static_cast<const ChildWish*>(thread.wanted);
  siginfo_t info{};
  const long result = os::call(SYS_waitid, wish.type, static_cast<long>(wish.id),
                               os::as_argument(&info), wish.options | WNOHANG | WNOWAIT, 0);
  return result < 0 || info.si_pid != 0;  // an error is an answer, too
}

/// What a wait fills in for the program.
struct Answered {
  iovec parts[2] = {};
  bool (*has_ended)(const iovec* parts) = nullptr;  // whether the child is gone now
};

constexpr InputCall kWait{.kind = wire::InputKind::kChild, .operation = Operation::kWaitChild};

void record_answer(const Thread& self, long result, std::uint64_t child, const Answered& answered) {
  Inputs& inputs = runtime().inputs();
  std::size_t size = sizeof(child);
  for (const iovec& part : answered.parts) size += part.iov_base ? part.iov_len : 0;
  inputs.begin(self, kWait, result, size);
  inputs.add(&child, sizeof(child));
  for (const iovec& part : answered.parts) {
    if (part.iov_base) inputs.add(part.iov_base, part.iov_len);
  }
  inputs.end();
}

/// The recorded child has ended, whatever the one of this run does: its end is not waited for.
void end_child(pid_t child) {
  os::call(SYS_kill, child, SIGKILL);
  while (os::call(SYS_wait4, child, 0, 0, 0) == -EINTR) {
  }
}

long replay_answer(Thread& self, const wire::Choice* recorded, const Answered& answered) {
  Inputs& inputs = runtime().inputs();
  take_recorded_signals(self);
  RecordedInput input = inputs.take(self, kWait);
  std::uint64_t child = 0;
  bool is_whole = input.read(&child, sizeof(child));
  for (const iovec& part : answered.parts) {
    if (part.iov_base) is_whole = is_whole && input.read(part.iov_base, part.iov_len);
  }
  if (!is_whole || input.left()) inputs.diverge(self, kOtherRoom);
  long result = input.result();
  scheduler().outside().answered(self, recorded, child);
  const pid_t here = result < 0 ? 0 : outsiders().child_at(child);
  if (!here) return result;
  if (result > 0) result = here;  // process ids may differ
  if (answered.has_ended(answered.parts)) end_child(here);
  return result;
}

/// The answer of a wait with inputs that are served.
long serve_answer(Thread& self, const ChildWish& wish, bool stays, const Answered& answered) {
  take_recorded_signals(self);
  const wire::InputHead* news = served_news(wish, stays);
  if (!news) {
    if (has_no_child(wish)) return -ECHILD;
    note_nothing_served(self);
    return 0;
  }
  RecordedInput input(*news);
  std::uint64_t ordinal = 0;
  input.read(&ordinal, sizeof(ordinal));
  for (const iovec& part : answered.parts) {
    if (!part.iov_base) continue;
    std::memset(part.iov_base, 0, part.iov_len);
    input.read(part.iov_base,
               part.iov_len);  // if another call waited then, what it did not ask is 0
  }
  const pid_t here = outsiders().child_at(ordinal);
  if (answered.has_ended(answered.parts)) end_child(here);
  return news->result > 0 ? here : static_cast<long>(news->result);
}

/// Waits until `attempt`, which never waits, has an answer. It answers like a system call and names
/// the child that it is about, or none. A replay waits for the same child.
template <class Attempt>
long await_child(Thread& self, ChildWish wish, bool blocking, const void* site, Attempt attempt,
                 const Answered& answered) {
  ErrnoKeeper keeper;
  const Outside outside{.child = true};
  const Op op{
      .kind = Operation::kWaitChild,
      .object = scheduler().outside().object(),
      .site = site,
      .can = blocking ? has_news : nullptr,
      // The process id differs from run to run.
      .number = wish.type == P_PID ? outsiders().ordinal_of(static_cast<pid_t>(wish.id)) : 0,
      .interruptible = true,
      .cancellable = true};
  self.wanted = &wish;
  const bool serves = runtime().inputs().serves();
  self.outside = blocking && !serves ? &outside : nullptr;
  const std::uint64_t begun = os::real_nanoseconds();
  scheduler().reach(self, op);
  cancellation_point(self);

  const wire::Choice* recorded = serves ? nullptr : scheduler().outside().recorded_answer(self);
  if (serves || runtime().inputs().replays()) {
    self.outside = nullptr;
    const bool ends = serves && blocking && self.signals.interrupted && !has_news(op, self);
    const bool stays = (wish.options & WNOWAIT) != 0;
    const long result = ends     ? -EINTR
                        : serves ? serve_answer(self, wish, stays, answered)
                                 : replay_answer(self, recorded, answered);
    if (blocking && runtime().is_starting() && !scheduler().time().is_first_model()) {
      scheduler().deadlines().pass(runtime().length_of_start_wait(0));
    }
    did(self, op, result < 0 ? static_cast<int>(-result) : 0);
    return result < 0 ? keeper.fail(static_cast<int>(-result)) : result;
  }
  const long answer = recorded ? static_cast<long>(recorded->value) : 0;
  const pid_t child = answer > 0 ? outsiders().child_at(static_cast<std::uint64_t>(answer)) : 0;
  if (child) wish = {P_PID, static_cast<id_t>(child), wish.options};
  const bool comes = recorded && answer != 0 && answer != -EINTR;
  while (comes && !has_news(op, self)) {
    self.pending = op;
    self.pending.can = has_news;
    self.outside = &outside;
    scheduler().block(self);
  }
  self.outside = nullptr;
  const bool interrupted = blocking && self.signals.interrupted && !has_news(op, self);
  pid_t who = 0;
  long result = 0;
  if (recorded && !comes) {
    result = answer;
  } else {
    result = interrupted ? -EINTR : attempt(wish, &who);
  }
  // A child whose creation we did not see has no ordinal, but it must differ from no child.
  constexpr std::uint64_t kSomeChild = std::uint64_t{1} << 32;
  std::uint64_t noted =
      result < 0 ? static_cast<std::uint64_t>(result) : outsiders().ordinal_of(who);
  if (result >= 0 && who > 0 && noted == 0) noted = kSomeChild;
  if (runtime().inputs().records()) record_answer(self, result, noted, answered);
  scheduler().outside().answered(self, recorded, noted);
  // No choices are recorded before the first thread, but the schedule keeps how long this took.
  if (blocking && runtime().is_starting() && !scheduler().time().is_first_model()) {
    const std::uint64_t waited = os::real_nanoseconds() - begun;
    const std::uint64_t behind = outsiders().lag();
    scheduler().deadlines().pass(runtime().length_of_start_wait(behind > waited ? behind : waited));
  }
  did(self, op, result < 0 ? static_cast<int>(-result) : 0);
  return result < 0 ? keeper.fail(static_cast<int>(-result)) : result;
}

ChildWish wish_of(pid_t pid, int options) {
  const int kinds = WEXITED | (options & WUNTRACED ? WSTOPPED : 0) | (options & WCONTINUED);
  if (pid > 0) return {P_PID, static_cast<id_t>(pid), kinds};
  if (pid == -1) return {P_ALL, 0, kinds};
  return {P_PGID, static_cast<id_t>(pid == 0 ? getpgrp() : -pid), kinds};
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT pid_t wait4(pid_t pid, int* status, int options, rusage* usage) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::wait4, pid, status, options, usage);
  const auto attempt = [&](const ChildWish& wish, pid_t* who) {
    const long asked = wish.type == P_PID ? static_cast<long>(wish.id) : pid;
    const long result = os::call(SYS_wait4, asked, os::as_argument(status), options | WNOHANG,
                                 os::as_argument(usage));
    *who = static_cast<pid_t>(result);
    return result;
  };
  int own = 0;
  if (!status) status = &own;
  const Answered answered{.parts = {{status, sizeof(*status)}, {usage, sizeof(*usage)}},
                          .has_ended = [](const iovec* parts) {
                            const int seen = *static_cast<const int*>(parts[0].iov_base);
                            return WIFEXITED(seen) || WIFSIGNALED(seen);
                          }};
  return static_cast<pid_t>(await_child(*self, wish_of(pid, options), !(options & WNOHANG),
                                        UNRAVEL_SITE, attempt, answered));
}

UNRAVEL_EXPORT pid_t waitpid(pid_t pid, int* status, int options) {
  if (!controlled_thread()) return real::waitpid(pid, status, options);
  return wait4(pid, status, options, nullptr);
}

UNRAVEL_EXPORT pid_t wait(int* status) {
  if (!controlled_thread()) return real::wait(status);
  return wait4(-1, status, 0, nullptr);
}

UNRAVEL_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  if (!controlled_thread()) return real::wait3(status, options, usage);
  return wait4(-1, status, options, usage);
}

UNRAVEL_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::waitid, type, id, info, options);
  siginfo_t own{};
  if (!info) info = &own;
  const auto attempt = [&](const ChildWish& wish, pid_t* who) {
    const long result = os::call(SYS_waitid, wish.type, static_cast<long>(wish.id),
                                 os::as_argument(info), options | WNOHANG, 0);
    *who = info->si_pid;
    return result;
  };
  const ChildWish wish{type, id, options & ~WNOHANG};
  info->si_pid = 0;  // the value if nothing is new
  Answered answered{.parts = {{info, sizeof(*info)}, {}}, .has_ended = [](const iovec* parts) {
                      const auto& seen = *static_cast<const siginfo_t*>(parts[0].iov_base);
                      return seen.si_code == CLD_EXITED || seen.si_code == CLD_KILLED ||
                             seen.si_code == CLD_DUMPED;
                    }};
  if (options & WNOWAIT) answered.has_ended = [](const iovec*) { return false; };
  return static_cast<int>(
      await_child(*self, wish, !(options & WNOHANG), UNRAVEL_SITE, attempt, answered));
}
