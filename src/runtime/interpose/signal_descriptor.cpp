/// Descriptors from which signals are read (signalfd). The program gets an eventfd of ours, which
/// is readable while one of its signals is pending.
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

signalfd_siginfo described(int signal, const siginfo_t& info) {
  signalfd_siginfo entry{};
  entry.ssi_signo = static_cast<std::uint32_t>(signal);
  entry.ssi_code = info.si_code;
  entry.ssi_pid = static_cast<std::uint32_t>(info.si_pid);
  entry.ssi_uid = info.si_uid;
  if (signal == SIGCHLD) {
    entry.ssi_status = info.si_status;
  } else if (info.si_code == SI_TIMER) {
    entry.ssi_pid = entry.ssi_uid = 0;
    entry.ssi_tid = static_cast<std::uint32_t>(info.si_timerid);
    entry.ssi_overrun = static_cast<std::uint32_t>(info.si_overrun);
    entry.ssi_int = info.si_value.sival_int;
    entry.ssi_ptr = reinterpret_cast<std::uint64_t>(info.si_value.sival_ptr);
  } else {
    entry.ssi_int = info.si_value.sival_int;
    entry.ssi_ptr = reinterpret_cast<std::uint64_t>(info.si_value.sival_ptr);
  }
  return entry;
}

}  // namespace

long read_signals(Thread& self, int descriptor, void* bytes, std::size_t size, const void* site) {
  auto* entries = static_cast<signalfd_siginfo*>(bytes);
  const std::size_t room = size / sizeof(signalfd_siginfo);
  const auto attempt = [&](const Part&) -> long {
    if (room == 0) return -EINVAL;
    std::size_t count = 0;
    siginfo_t info{};
    while (count < room) {
      const int signal = runtime().signals().take_by(descriptor, self, &info);
      if (!signal) break;
      entries[count++] = described(signal, info);
    }
    return count ? static_cast<long>(count * sizeof(signalfd_siginfo)) : -EAGAIN;
  };
  return on_descriptor(self, wire::Operation::kRead, descriptor, POLLIN, site, attempt,
                       {.is_ours = true});
}

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::signalfd, descriptor, set, flags);
  ErrnoKeeper keeper;
  Signals& signals = runtime().signals();
  if (flags & ~(SFD_CLOEXEC | SFD_NONBLOCK)) return keeper.fail(EINVAL);
  const int given = descriptor;
  descriptor = runtime().outsiders().descriptions().original_of(descriptor);
  if (descriptor >= 0 && !signals.is_watched_by(descriptor)) return keeper.fail(EINVAL);
  static_assert(int{SFD_CLOEXEC} == EFD_CLOEXEC && int{SFD_NONBLOCK} == EFD_NONBLOCK);
  if (descriptor < 0) descriptor = static_cast<int>(os::call(SYS_eventfd2, 0, flags));
  if (descriptor < 0) return keeper.fail(-descriptor);
  scheduler().hook(*self);
  if (signals.watch_by(descriptor, bits_of(*set))) return given < 0 ? descriptor : given;
  os::call(SYS_close, descriptor);
  return keeper.fail(EMFILE);
}
