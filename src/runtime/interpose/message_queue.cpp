/// POSIX message queues. A queue is a descriptor that can be polled. With a deadline in the past,
/// its calls do not wait.
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdarg.h>

#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/descriptor_copies.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/thread.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::Operation;

/// A queue has a name. In a sandbox only the program and its children know it.
mqd_t recording_queue(mqd_t queue) {
  if (queue >= 0 && controlled_thread() && runtime().settings().sandboxed) {
    runtime().outsiders().record_inside(queue);
  }
  return queue;
}

bool is_same(int one, int other) {
  struct stat first {};
  struct stat second {};
  return os::call(SYS_fstat, one, os::as_argument(&first)) == 0 &&
         os::call(SYS_fstat, other, os::as_argument(&second)) == 0 &&
         first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

/// Whether a thread of ours waits for a message of `queue`: then there is no notification. The
/// kernel does not see such a thread wait.
bool has_receiver(const Thread& self, mqd_t queue) {
  for (std::uint32_t slot = 0; slot < scheduler().threads().slots(); ++slot) {
    const Thread* thread = scheduler().threads().by_slot()[slot];
    const bool waits = thread->in_use && !thread->ended && thread != &self &&
                       thread->pending.kind == Operation::kReceiveMessage && thread->pending.can;
    if (waits && is_same(queue, static_cast<int>(thread->pending.number))) return true;
  }
  return false;
}

bool waits_on_queue(mqd_t queue) {
  const long flags = os::call(SYS_fcntl, queue, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

/// The size of the longest message; 0: it is no queue.
std::size_t message_size(mqd_t queue) {
  mq_attr attributes{};
  const long answer = os::call(SYS_mq_getsetattr, queue, 0, os::as_argument(&attributes));
  return answer == 0 ? static_cast<std::size_t>(attributes.mq_msgsize) : 0;
}

Outsiders::Notification& notification() { return runtime().outsiders().notification(); }

bool is_empty(mqd_t queue) {
  mq_attr attributes{};
  return os::call(SYS_mq_getsetattr, queue, 0, os::as_argument(&attributes)) == 0 &&
         attributes.mq_curmsgs == 0;
}

/// Asks the kernel for a notification of the next message. We call functions ourselves, not a
/// thread of libc; then the kernel's request only keeps others from asking.
long ask_kernel(mqd_t queue, const sigevent& event) {
  sigevent asked = event;
  if (asked.sigev_notify == SIGEV_THREAD) asked.sigev_notify = SIGEV_NONE;
  return os::call(SYS_mq_notify, queue, os::as_argument(&asked));
}

/// Takes the signal that the kernel sent for a message. If this thread sent the message, the signal
/// comes at once.
void take_notice(const Outsiders::Notification& asked, bool is_told) {
  const std::uint64_t set = signal_bit(asked.event.sigev_signo);
  const timespec at_once{};
  siginfo_t info{};
  const long got = os::call(SYS_rt_sigtimedwait, os::as_argument(&set), os::as_argument(&info),
                            os::as_argument(&at_once), sizeof(set));
  if (got > 0 && (is_told || info.si_code != SI_MESGQ)) {
    runtime().signals().send_to_process(static_cast<int>(got), info);
  }
}

struct Called {
  void (*function)(sigval);
  sigval value;
};

void* call_function(void* given) {
  const Called called = *static_cast<Called*>(given);
  real::free(given);
  called.function(called.value);
  return nullptr;
}

/// Calls the function in a new thread, like libc.
void call_in_thread(Thread& self, const Outsiders::Notification& asked, const void* site) {
  auto* called = static_cast<Called*>(real::malloc(sizeof(Called)));
  if (!called) return;
  *called = {asked.event.sigev_notify_function, asked.event.sigev_value};
  pthread_t thread = 0;
  if (create_thread(self, &thread, &asked.attributes, call_function, called, site) != 0) {
    real::free(called);
  }
}

/// How long a call may wait. An invalid time is left to the kernel, which refuses it.
struct Limit {
  Patience patience{.is_known = true};
  bool is_bad = false;

  explicit Limit(const timespec* until) {
    if (!until) return;
    is_bad = !is_valid(*until) || until->tv_sec < 0;
    if (!is_bad) patience.deadline = deadline_at(scheduler().time(), CLOCK_REALTIME, *until);
  }
};

/// Makes one call; `attempt(over)` makes it without waiting.
template <class Attempt>
long on_queue(Thread& self, Operation kind, mqd_t queue, const timespec* until, bool at_once,
              const void* site, Attempt attempt) {
  Limit limit(until);
  const timespec over{};
  const timespec* given = limit.is_bad ? until : &over;
  const auto try_it = [&](const Part&) -> long {
    const long answer = attempt(given);
    return answer == -ETIMEDOUT ? -EAGAIN : answer;
  };
  const short events = kind == Operation::kSendMessage ? POLLOUT : POLLIN;
  const bool waits = waits_on_queue(queue);
  const long result =
      step_on(self, kind, queue, events, site, try_it,
              {.patience = &limit.patience, .at_once = at_once || limit.is_bad, .is_queue = true});
  return result == -EAGAIN && waits ? -ETIMEDOUT : result;
}

long send(Thread& self, mqd_t queue, const char* bytes, std::size_t size, unsigned priority,
          const timespec* until, const void* site) {
  constexpr unsigned kPriorities = 32768;
  const bool is_wrong = size > message_size(queue) || priority >= kPriorities;
  Outsiders::Notification told;
  const auto attempt = [&](const timespec* over) {
    Outsiders::Notification& asked = notification();
    const bool is_asked = asked.queue >= 0 && is_same(queue, asked.queue) && is_empty(queue);
    const bool is_received = is_asked && has_receiver(self, queue);
    const long sent = os::call(SYS_mq_timedsend, queue, os::as_argument(bytes),
                               static_cast<long>(size), priority, os::as_argument(over));
    if (sent != 0 || !is_asked) return sent;
    if (asked.event.sigev_notify == SIGEV_SIGNAL) take_notice(asked, !is_received);
    if (is_received) {
      ask_kernel(asked.queue, asked.event);
    } else {
      told = asked;
      asked.queue = -1;
    }
    return sent;
  };
  const long result =
      on_queue(self, Operation::kSendMessage, queue, until, is_wrong, site, attempt);
  if (result == 0 && self.signals.has_deliverable()) runtime().signals().handle(self);
  if (told.queue >= 0 && told.event.sigev_notify == SIGEV_THREAD) call_in_thread(self, told, site);
  return result;
}

long receive(Thread& self, mqd_t queue, char* bytes, std::size_t size, unsigned* priority,
             const timespec* until, const void* site) {
  const bool is_wrong = size < message_size(queue);
  return on_queue(
      self, Operation::kReceiveMessage, queue, until, is_wrong, site, [&](const timespec* over) {
        return os::call(SYS_mq_timedreceive, queue, os::as_argument(bytes), static_cast<long>(size),
                        os::as_argument(priority), os::as_argument(over));
      });
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT mqd_t mq_open(const char* name, int flags, ...) noexcept {
  if (!(flags & O_CREAT)) return recording_queue(real::mq_open(name, flags));
  va_list list;
  va_start(list, flags);
  const auto mode = va_arg(list, mode_t);
  auto* attributes = va_arg(list, mq_attr*);
  va_end(list);
  return recording_queue(real::mq_open(name, flags, mode, attributes));
}

UNRAVEL_EXPORT mqd_t __mq_open_2(const char* name, int flags) {
  return recording_queue(real::__mq_open_2(name, flags));
}

UNRAVEL_EXPORT int mq_close(mqd_t queue) noexcept {
  if (!controlled_thread()) return real::mq_close(queue);
  if (notification().queue == queue) notification().queue = -1;
  forget_descriptor(queue);
  return real::mq_close(queue);
}

UNRAVEL_EXPORT int mq_send(mqd_t queue, const char* bytes, std::size_t size, unsigned priority) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mq_send, queue, bytes, size, priority);
  ErrnoKeeper keeper;
  return static_cast<int>(
      keeper.answer(unravel::send(*self, queue, bytes, size, priority, nullptr, UNRAVEL_SITE)));
}

UNRAVEL_EXPORT int mq_timedsend(mqd_t queue, const char* bytes, std::size_t size, unsigned priority,
                                const timespec* until) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::mq_timedsend, queue, bytes, size, priority, until);
  ErrnoKeeper keeper;
  return static_cast<int>(
      keeper.answer(unravel::send(*self, queue, bytes, size, priority, until, UNRAVEL_SITE)));
}

UNRAVEL_EXPORT ssize_t mq_receive(mqd_t queue, char* bytes, std::size_t size, unsigned* priority) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::mq_receive, queue, bytes, size, priority);
  ErrnoKeeper keeper;
  return keeper.answer(receive(*self, queue, bytes, size, priority, nullptr, UNRAVEL_SITE));
}

UNRAVEL_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* bytes, std::size_t size,
                                       unsigned* priority, const timespec* until) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::mq_timedreceive, queue, bytes, size, priority, until);
  ErrnoKeeper keeper;
  return keeper.answer(receive(*self, queue, bytes, size, priority, until, UNRAVEL_SITE));
}

UNRAVEL_EXPORT int mq_notify(mqd_t queue, const sigevent* event) noexcept {
  Thread* self = controlled_thread();
  const bool by_thread = event && event->sigev_notify == SIGEV_THREAD;
  // If another process may send messages, only libc's own thread would learn of them.
  if (!self || (by_thread && !runtime().outsiders().is_inside(queue))) {
    const int result = real::mq_notify(queue, event);
    if (self && result == 0) {
      runtime().warn_uncontrolled("a thread that the C library starts for mq_notify");
    }
    return result;
  }
  ErrnoKeeper keeper;
  const long answer = event ? ask_kernel(queue, *event) : os::call(SYS_mq_notify, queue, 0);
  if (answer != 0) return static_cast<int>(keeper.answer(answer));
  Outsiders::Notification& asked = notification();
  asked = {.queue = event ? queue : -1};
  if (!event) return 0;
  asked.event = *event;
  if (by_thread) copy_attributes(event->sigev_notify_attributes, &asked.attributes);
  return 0;
}
