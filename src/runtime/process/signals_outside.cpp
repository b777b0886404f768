/// Signals that other processes and the kernel send.
#include "runtime/os/system_call.hpp"
#include "runtime/process/leftovers.hpp"
#include "runtime/process/runtime.hpp"
#include "runtime/process/signals.hpp"

namespace unravel {

void Signals::fetch() {
  if (const std::uint64_t faults = faults_from_outside_.exchange(0, std::memory_order_relaxed)) {
    for (const int signal : kFaults) {
      if (!(faults & signal_bit(signal))) continue;
      arrived_ |= signal_bit(signal);
      arrived_info_[signal] = {};
      arrived_info_[signal].si_signo = signal;
    }
  }
  for (;;) {
    siginfo_t info{};
    const std::uint64_t wanted = kHeldBack & ~arrived_;  // a second of a kind stays in the kernel
    const timespec at_once{};
    const long signal = os::call(SYS_rt_sigtimedwait, os::as_argument(&wanted),
                                 os::as_argument(&info), os::as_argument(&at_once), sizeof(wanted));
    if (signal <= 0) return;
    arrived_ |= signal_bit(static_cast<int>(signal));
    arrived_info_[signal] = info;
  }
}

int Signals::arrived() {
  const Inputs& inputs = runtime().inputs();
  if (inputs.replays()) return current_thread ? inputs.signal_now(*current_thread) : 0;
  fetch();
  return arrived_ ? std::countr_zero(arrived_) + 1 : 0;
}

void Signals::deliver(int signal) {
  if (!is_ours(signal)) return;
  Inputs& inputs = runtime().inputs();
  const InputCall call{.kind = wire::InputKind::kSignal};
  if (inputs.replays()) {
    siginfo_t recorded{};
    RecordedInput input = inputs.take(*current_thread, call);
    if (input.result() != signal || !input.read(&recorded, sizeof(recorded))) {
      inputs.diverge(*current_thread, "another signal came in the recorded run");
    }
    fetch();
    arrived_ &= ~signal_bit(signal);  // one that came now stands for the recorded one
    static_cast<void>(send_to_process(signal, recorded));
    return;
  }
  fetch();
  // Two children that end at once make one signal, so one dead child is enough.
  while (signal == SIGCHLD && !(arrived_ & signal_bit(SIGCHLD)) && all_children_live()) {
    const timespec glance{.tv_sec = 0, .tv_nsec = 1'000'000};
    os::call(SYS_nanosleep, os::as_argument(&glance), 0);
    fetch();
  }
  siginfo_t info{};
  if (arrived_ & signal_bit(signal)) {
    info = arrived_info_[signal];
  } else {
    info.si_signo = signal;
    info.si_code = SI_USER;
  }
  arrived_ &= ~signal_bit(signal);
  if (inputs.records()) {
    inputs.begin(*current_thread, call, signal, sizeof(info));
    inputs.add(&info, sizeof(info));
    inputs.end();
  }
  send_to_process(signal, info);
}

}  // namespace unravel
