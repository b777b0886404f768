/// The program's signal handlers: run at a point, or where an instruction raised the signal.
#include <errno.h>
#include <ucontext.h>

#include "runtime/os/registers.hpp"
#include "runtime/process/faults.hpp"
#include "runtime/process/outsiders.hpp"
#include "runtime/process/runtime.hpp"

extern "C" __attribute__((visibility("hidden"))) void unravel_call_on_stack(
    void (*function)(int, siginfo_t*, void*), int signal, siginfo_t* info, void* context,
    void* stack);

namespace unravel {

namespace {

bool is_on_signal_stack(const Thread& thread, const void* place) {
  const auto* begin = static_cast<const std::byte*>(thread.signals.stack);
  return begin && place >= begin && place < begin + thread.signals.stack_size;
}

/// Fills in the context of the interrupted thread for its handler. No instruction was interrupted:
/// the thread is in a call of ours.
void describe(const Thread& self, std::uint64_t mask, ucontext_t* context) {
  wire::Registers here{};
  os::unravel_save_registers(&here);
  auto& registers = context->uc_mcontext.gregs;
  registers[REG_RIP] = static_cast<greg_t>(here.rip);
  registers[REG_RSP] = static_cast<greg_t>(here.rsp);
  registers[REG_RBP] = static_cast<greg_t>(here.rbp);
  registers[REG_RBX] = static_cast<greg_t>(here.rbx);
  context->uc_mcontext.fpregs = &context->__fpregs_mem;
  context->uc_sigmask = set_of(mask);
  context->uc_stack.ss_sp = self.signals.stack;
  context->uc_stack.ss_size = self.signals.stack_size;
  context->uc_stack.ss_flags = self.signals.stack ? 0 : SS_DISABLE;
}

}  // namespace

void Signals::handle(Thread& self) {
  const int kept = errno;
  // The thread's own wait is put aside: its handlers may wait for something themselves.
  const Outside* wish = self.wish;
  const Outside* outside = self.outside;
  const void* wanted = self.wanted;
  const bool retry = self.retry;
  const std::uint64_t signal_wait = self.signals.awaited;
  bool interrupted = self.signals.interrupted;
  self.signals.awaited = 0;
  interrupted = run_due(self, wish ? wish : outside) || interrupted;
  self.wish = wish;
  self.outside = outside;
  self.wanted = wanted;
  self.retry = retry;
  self.signals.awaited = signal_wait;
  self.signals.interrupted = interrupted;
  errno = kept;
}

bool Signals::run_due(Thread& self, const Outside* waits) {
  bool interrupted = false;
  while (const std::uint64_t due = self.signals.pending & ~self.signals.mask) {
    self.wish = self.outside = nullptr;
    self.wanted = nullptr;
    siginfo_t info{};
    const int signal = take(self, signal_bit(first_of(due)), &info);
    interrupted = run_handler(self, signal, info, waits) || interrupted;
  }
  return interrupted;
}

bool Signals::run_handler(Thread& self, int signal, siginfo_t& info, const Outside* waits) {
  const struct sigaction action = actions_[signal];
  if (is_ignored(signal)) return false;
  if (action.sa_handler == SIG_DFL) die(signal);
  if (recorder.on()) {
    recorder.annotate(wire::Operation::kHandle, static_cast<std::uint64_t>(signal), 0, 0, nullptr);
  }
  ++self.signals.handlers_run;
  if (action.sa_flags & SA_RESETHAND) actions_[signal].sa_handler = SIG_DFL;
  HandlerFrame frame{.outer = self.signals.handlers,
                     .mask = self.signals.mask,
                     .stack_begin = nullptr,
                     .stack_end = nullptr};
  ucontext_t context{};
  describe(self, frame.mask, &context);
  std::uint64_t mask = frame.mask | bits_of(action.sa_mask);
  if (!(action.sa_flags & SA_NODEFER)) mask |= signal_bit(signal);
  self.signals.handlers = &frame;
  replace_mask(self, mask);
  // As in the kernel: signals that are pending and that this handler does not block interrupt it at
  // its first instruction.
  static_cast<void>(run_due(self, waits));
  const bool switches = (action.sa_flags & SA_ONSTACK) && self.signals.stack &&
                        !is_on_signal_stack(self, __builtin_frame_address(0));
  call_handler(self, action, signal, &info, &context, frame, switches);
  self.signals.handlers = frame.outer;
  // Handlers may change the mask that is restored afterwards.
  replace_mask(self, bits_of(context.uc_sigmask));
  return !(action.sa_flags & SA_RESTART) || (waits && waits->never_restarts);
}

void Signals::call_handler(Thread& self, const struct sigaction& action, int signal,
                           siginfo_t* info, ucontext_t* context, HandlerFrame& frame,
                           bool switches_stack) {
  // A handler with one argument ignores the others.
  auto* handler = action.sa_sigaction;
  if (!switches_stack) return handler(signal, info, context);
  auto* end = static_cast<std::byte*>(self.signals.stack) + self.signals.stack_size;
  frame.stack_begin = self.signals.stack;
  frame.stack_end = end;
  unravel_call_on_stack(handler, signal, info, context, end);
}

std::uint64_t Signals::leave_handlers(Thread& self, const void* stack) {
  std::uint64_t mask = self.signals.mask;
  while (const HandlerFrame* frame = self.signals.handlers) {
    const bool stays_on_stack =
        frame->stack_begin && stack >= frame->stack_begin && stack < frame->stack_end;
    // A handler on an alternate stack has its frames there, but its HandlerFrame lies on the stack
    // of its caller.
    if (frame->stack_begin ? stays_on_stack : static_cast<const void*>(frame) >= stack) break;
    mask = frame->mask;
    self.signals.handlers = frame->outer;
  }
  return mask;
}

bool Signals::handle_fault(Thread* self, int signal, siginfo_t* info, ucontext_t* context) {
  const struct sigaction action = actions_[signal];
  const bool blocked = self && (self->signals.mask & signal_bit(signal));
  if (!is_handled(signal) || blocked) return false;
  if (action.sa_flags & SA_RESETHAND) {
    actions_[signal].sa_handler = SIG_DFL;
    receive_fault(signal, true);
  }
  if (!self) {
    action.sa_sigaction(signal, info, context);
    return true;
  }
  // The kernel has room only for its own set there, which is smaller than libc's.
  unsigned long& shown_mask = context->uc_sigmask.__val[0];
  const unsigned long real_mask = shown_mask;
  HandlerFrame frame{.outer = self->signals.handlers,
                     .mask = self->signals.mask,
                     .stack_begin = nullptr,
                     .stack_end = nullptr};
  const auto* place = reinterpret_cast<const std::byte*>(&frame);
  const auto* own = static_cast<const std::byte*>(runtime().signal_stack(self->slot));
  if (is_on_signal_stack(*self, place)) {
    frame.stack_begin = self->signals.stack;
    frame.stack_end = static_cast<std::byte*>(self->signals.stack) + self->signals.stack_size;
  } else if (place >= own && place < own + kSignalStackSize) {
    frame.stack_begin = own;
    frame.stack_end = own + kSignalStackSize;
  }
  std::uint64_t mask = frame.mask | bits_of(action.sa_mask);
  if (!(action.sa_flags & SA_NODEFER)) mask |= signal_bit(signal);
  shown_mask = frame.mask;
  self->signals.handlers = &frame;
  replace_mask(*self, mask);
  action.sa_sigaction(signal, info, context);
  self->signals.handlers = frame.outer;
  replace_mask(*self, shown_mask);
  shown_mask = real_mask;
  return true;
}

}  // namespace unravel
