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
  Inputs& inputs = runtime().inputs();
  if (inputs.serves()) return served_now();
  if (inputs.replays()) return current_thread ? inputs.signal_now(*current_thread) : 0;
  fetch();
  return arrived_ ? std::countr_zero(arrived_) + 1 : 0;
}

/// A recorded signal comes where its thread was then, or after an input that came later. What
/// really comes is not taken from the kernel.
int Signals::served_now() {
  const wire::InputHead* next = runtime().served().next_signal();
  if (!next || !current_thread || runtime().is_starting()) return 0;
  // A thread that has just made its last operation would take the signal with it.
  const wire::Clock now = current_thread->clock;
  const bool is_there = next->thread == current_thread->ordinal &&
                        (next->clock < now || (next->clock == now && now.hooks > 0));
  const bool is_due = is_there || runtime().served().is_passed(*next);
  if (!is_due && !hurries_) return 0;
  hurries_ = false;
  return static_cast<int>(next->result);
}

bool Signals::hurry() {
  hurries_ = runtime().served().next_signal() != nullptr;
  return hurries_;
}

void Signals::deliver(int signal) {
  Inputs& inputs = runtime().inputs();
  if (inputs.serves()) {
    siginfo_t recorded{};
    const wire::InputHead* head = runtime().served().take_signal(signal);
    if (!head || !RecordedInput(*head).read(&recorded, sizeof(recorded))) {
      inputs.diverge(*current_thread, "a signal comes that the recorded run did not get");
    }
    if (is_ours(signal)) static_cast<void>(send_to_process(signal, recorded));
    return;
  }
  if (!is_ours(signal)) return;
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
