#include "runtime/process/thread_exit.hpp"

#include <limits.h>
#include <linux/futex.h>

#include "runtime/core/check.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

// Keys with lower numbers need no allocation in any thread; programs rarely have more.
constexpr int kKeysInThread = 32;

/// Does what the kernel does to robust mutexes when their owner ends. It is done here, while the
/// thread has the turn: threads that wait for them become runnable, and one may be the next to run.
void abandon_robust_mutexes(Thread& self) {
  robust_list_head* head = nullptr;
  std::size_t size = 0;
  if (os::call(SYS_get_robust_list, 0, os::as_argument(&head), os::as_argument(&size)) != 0) return;
  constexpr std::uintptr_t kInheritsPriority = 1;
  const auto entry_at = [](const robust_list* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) & ~kInheritsPriority;
  };

  const auto end = reinterpret_cast<std::uintptr_t>(&head->list);
  for (std::uintptr_t entry = entry_at(head->list.next); entry != end;) {
    const std::uintptr_t next = entry_at(reinterpret_cast<const robust_list*>(entry)->next);
    auto* word = reinterpret_cast<std::atomic<std::uint32_t>*>(
        entry + static_cast<std::uintptr_t>(head->futex_offset));
    const std::uint32_t value = word->load();
    if ((value & FUTEX_TID_MASK) == static_cast<std::uint32_t>(self.kernel_id)) {
      word->store((value & FUTEX_WAITERS) | FUTEX_OWNER_DIED);
      // As the kernel does: wakes a thread of another process.
      if (value & FUTEX_WAITERS) os::futex_wake(*word, /*shared=*/true);
      scheduler().objects().released(self, word);  // it is the first member of a mutex
    }
    entry = next;
  }
  head->list.next = &head->list;
}

}  // namespace

void ThreadExit::watch() {
  // Keys are given out by number, and the destructors of a round run in that order. We take the
  // last key that needs no allocation, so that the program's destructors run before ours.
  pthread_key_t before[kKeysInThread];
  int count = 0;
  for (;;) {
    UNRAVEL_CHECK(real::pthread_key_create(&key_, on_round) == 0, "no thread-specific key is left");
    if (key_ + 1 >= kKeysInThread) break;
    before[count++] = key_;
  }
  while (count > 0) real::pthread_key_delete(before[--count]);
}

// libc loads the unwinder when the first thread exits early. It is always added to the list of
// modules then, so that each run has the same list.
void ThreadExit::load_unwinder() {
  static void* unwind = nullptr;
  if (unwind) return;
  void* library = dlopen("libgcc_s.so.1", RTLD_NOW);
  unwind = library ? dlsym(library, "_Unwind_ForcedUnwind") : nullptr;
  runtime().modules().site_of(unwind);
}

void ThreadExit::leave_cancelled(Thread& self) {
  load_unwinder();
  self.cancel.exiting = true;
  self.wish = self.outside = nullptr;
  self.pending = Op{};
  self.signals.handlers = nullptr;  // their frames are unwound with the others
  real::pthread_exit(PTHREAD_CANCELED);
  __builtin_unreachable();
}

void ThreadExit::expect(Thread& self) const { real::pthread_setspecific(key_, &self); }

void ThreadExit::destroy_lent(Thread& self) const {
  void* value = self.interposer.lent_value;
  self.interposer.lent_value = nullptr;
  if (is_lent_ && value && destructor_) destructor_(value);
}

void ThreadExit::on_round(void* thread) {
  auto& self = *static_cast<Thread*>(thread);
  if (current_thread != &self) return;  // in a child that the program forked
  runtime().thread_exit().destroy_lent(self);
  if (++self.interposer.destructor_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    runtime().thread_exit().expect(self);
    return;
  }
  abandon_robust_mutexes(self);
  if (scheduler().threads().alive() > 1) runtime().signals().leave(self);
  // The last thread keeps the turn: libc will call exit() on it.
  if (scheduler().life().end(self)) leave_control();
}

}  // namespace unravel
