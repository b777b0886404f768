#include "runtime/process/timers.hpp"

#include "runtime/os/system_call.hpp"

namespace unravel {

int Timers::free_one() {
  for (int index = kAlarm + 1; index < kMost; ++index) {
    if (!timers_[index].in_use()) return index;
  }
  return kNone;
}

int Timers::find(int descriptor) const {
  for (int index = 0; index < kMost; ++index) {
    if (timers_[index].descriptor == descriptor && descriptor >= 0) return index;
  }
  return kNone;
}

void Timers::set(int index, std::uint64_t deadline, std::uint64_t interval) {
  timers_[index].deadline = deadline;
  timers_[index].interval = interval;
  tell_next();
}

void Timers::forget(int index) {
  timers_[index] = Timer{};
  tell_next();
}

std::uint64_t Timers::left(int index) const {
  const std::uint64_t now = scheduler_.time().now();
  const std::uint64_t deadline = timers_[index].deadline;
  if (deadline == kNever) return 0;
  return deadline > now ? deadline - now : 1;
}

void Timers::tell_next() {
  std::uint64_t earliest = kNever;
  for (const Timer& timer : timers_) {
    if (timer.in_use() && timer.deadline < earliest) earliest = timer.deadline;
  }
  scheduler_.set_timer(earliest);
}

void Timers::due() {
  const std::uint64_t now = scheduler_.time().now();
  for (Timer& timer : timers_) {
    if (timer.in_use() && timer.deadline <= now) fire(timer, now);
  }
  tell_next();
}

void Timers::fire(Timer& timer, std::uint64_t now) {
  // Time may have jumped over several periods: they make one signal, or add up.
  std::uint64_t times = 1;
  if (timer.interval) {
    times += (now - timer.deadline) / timer.interval;
    timer.deadline += times * timer.interval;
  } else {
    timer.deadline = kNever;
  }
  tell_next();
  if (timer.descriptor >= 0) {
    os::call(SYS_write, timer.descriptor, os::as_argument(&times), sizeof(times));
    scheduler_.outside_changed();
    return;
  }
  siginfo_t info{};
  info.si_signo = timer.signal;
  info.si_code = SI_TIMER;
  info.si_value.sival_ptr = timer.value;
  signals_.send_to_process(timer.signal, info);
}

}  // namespace unravel
