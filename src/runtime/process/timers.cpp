#include "runtime/process/timers.hpp"

#include <limits.h>

#include <new>

#include "runtime/os/system_call.hpp"

namespace unravel {

Timers::Timers(Scheduler& scheduler, Signals& signals, Arena& arena)
    : scheduler_(scheduler), signals_(signals), arena_(arena) {
  for (const int signal : {SIGALRM, SIGVTALRM, SIGPROF}) {
    Timer& timer = at(take());
    timer.notifies = Notifies::kProcess;
    timer.signal = signal;
    timer.code = SI_KERNEL;
  }
}

int Timers::take() {
  for (int index = 0;; ++index) {
    if (index == count_) {
      if (count_ == kPerChunk * kMostChunks) return kNone;
      auto* chunk = arena_.take_array<Timer>(kPerChunk);
      for (int i = 0; i < kPerChunk; ++i) new (chunk + i) Timer();
      chunks_[count_ / kPerChunk] = chunk;
      count_ += kPerChunk;
    }
    Timer& timer = at(index);
    if (timer.in_use) continue;
    timer.in_use = true;
    return index;
  }
}

int Timers::find(int descriptor) const {
  for (int index = 0; index < count_ && descriptor >= 0; ++index) {
    if (at(index).in_use && at(index).descriptor == descriptor) return index;
  }
  return kNone;
}

void Timers::set(int index, std::uint64_t deadline, std::uint64_t interval) {
  Timer& timer = at(index);
  timer.deadline = deadline;
  timer.interval = deadline == kNever ? 0 : interval;
  timer.has_fired = timer.is_date = false;
  tell_next();
}

void Timers::date_moved(std::int64_t by) {
  const std::uint64_t now = scheduler_.time().now();
  for (int index = 0; index < count_; ++index) {
    Timer& timer = at(index);
    if (!timer.in_use || !timer.is_date || timer.deadline == kNever) continue;
    const std::int64_t left = static_cast<std::int64_t>(timer.deadline - now) - by;
    timer.deadline = left > 0 ? now + static_cast<std::uint64_t>(left) : now;
  }
  tell_next();
}

void Timers::forget(int index) {
  signals_.forget(&at(index).notice);
  if (at(index).notifies == Notifies::kFunction && at(index).notice.pending) --functions_due_;
  at(index) = Timer{};
  tell_next();
}

std::uint64_t Timers::left(int index) const {
  const std::uint64_t now = scheduler_.time().now();
  const Timer& timer = at(index);
  if (timer.deadline == kNever) return 0;
  if (timer.deadline > now) return timer.deadline - now;
  if (timer.notifies != Notifies::kNobody) return 1;  // it is about to fire
  if (!timer.interval) return 0;
  return timer.interval - (now - timer.deadline) % timer.interval;
}

void Timers::tell_next() {
  std::uint64_t earliest = kNever;
  for (int index = 0; index < count_; ++index) {
    const Timer& timer = at(index);
    if (timer.notifies == Notifies::kNobody) continue;
    if (timer.in_use && timer.deadline < earliest) earliest = timer.deadline;
  }
  scheduler_.deadlines().set_timer(earliest);
}

void Timers::due() {
  const std::uint64_t now = scheduler_.time().now();
  for (int index = 0; index < count_; ++index) {
    Timer& timer = at(index);
    const bool tells = timer.in_use && timer.notifies != Notifies::kNobody;
    if (tells && timer.deadline <= now) {
      fire(timer, now);
      send(index);
    }
  }
  tell_next();
}

void Timers::fire(Timer& timer, std::uint64_t now) {
  // Time may have jumped over several periods. They make one signal, or add up.
  std::uint64_t times = 1;
  if (timer.interval) {
    times += (now - timer.deadline) / timer.interval;
    timer.deadline += times * timer.interval;
  } else {
    timer.deadline = kNever;
  }
  timer.has_fired = true;
  // While the last signal is pending, further ones are only counted.
  timer.notice.overruns += timer.notice.pending ? times : times - 1;
  if (timer.descriptor < 0) return;
  os::call(SYS_write, timer.descriptor, os::as_argument(&times), sizeof(times));
  timer.notice.overruns = 0;
  scheduler_.outside().changed();
}

void Timers::send(int index) {
  Timer& timer = at(index);
  tell_next();
  if (timer.notifies == Notifies::kDescriptor || timer.notice.pending) return;
  if (timer.notifies == Notifies::kFunction) {
    timer.notice.pending = true;
    ++functions_due_;
    scheduler_.objects().changed_at(functions());
    return;
  }
  siginfo_t info{};
  info.si_signo = timer.signal;
  info.si_code = timer.code;
  const bool has_number = timer.code == SI_TIMER;
  if (has_number) {
    info.si_timerid = index;
    info.si_value = timer.value;
  }
  TimerNotice* notice = has_number ? &timer.notice : nullptr;
  if (timer.notifies == Notifies::kProcess) {
    signals_.send_to_process(timer.signal, info, notice);
  } else {
    for (std::uint32_t slot = 0; slot < scheduler_.threads().slots(); ++slot) {
      Thread* thread = scheduler_.threads().by_slot()[slot];
      const bool meant = thread->in_use && !thread->ended && thread->ordinal == timer.thread;
      if (meant) signals_.send(*thread, timer.signal, info, notice);
    }
  }
  // An ignored signal is dropped at once, so there is nothing to count.
  if (!timer.notice.pending) timer.notice.overruns = 0;
}

bool Timers::will_run_handler() const {
  for (int index = 0; index < count_; ++index) {
    const Timer& timer = at(index);
    const bool sends = timer.notifies == Notifies::kProcess || timer.notifies == Notifies::kThread;
    if (timer.in_use && sends && timer.deadline != kNever && !timer.has_fired &&
        signals_.is_handled(timer.signal)) {
      return true;
    }
  }
  return false;
}

int Timers::take_function() {
  for (int index = 0; index < count_; ++index) {
    Timer& timer = at(index);
    if (timer.notifies != Notifies::kFunction || !timer.notice.pending) continue;
    timer.notice.pending = false;
    timer.notice.last_overruns = timer.notice.overruns < INT_MAX ? timer.notice.overruns : INT_MAX;
    timer.notice.overruns = 0;
    --functions_due_;
    return index;
  }
  return kNone;
}

}  // namespace unravel
