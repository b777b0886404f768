#include "runtime/process/kernel_threads.hpp"

#include <pthread.h>

#include "runtime/os/dispatch.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/registers.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

enum Baton : std::uint32_t { kAway = 0, kTurn = 1, kResting = 2 };

}  // namespace

std::atomic<std::int32_t>* KernelThreads::id_word(const Thread& thread) const {
  return reinterpret_cast<std::atomic<std::int32_t>*>(thread.handle + id_word_offset_);
}

bool KernelThreads::adopt(Thread& main) {
  main.handle = pthread_self();
  identify(main);
  control_.current_slot = main.slot;
  return learn_id_word(main.handle, main.kernel_id);
}

void KernelThreads::identify(Thread& self) {
  self.kernel_id = caller_id();
  self.record->kernel_id = self.kernel_id;
}

int KernelThreads::caller_id() { return static_cast<int>(os::call(SYS_gettid)); }

int KernelThreads::create(const NewThread& made) {
  Creation creation{*this, made};
  pthread_t handle = 0;
  const int error = real::pthread_create(
      &handle, static_cast<const pthread_attr_t*>(made.attributes), begin, &creation);
  os::catch_calls_again();
  if (error) return error;
  made.thread.handle = handle;
  await_rest(made.thread);
  return 0;
}

void* KernelThreads::begin(void* creation) {
  const Creation& given = *static_cast<const Creation*>(creation);
  KernelThreads& threads = given.threads;
  const NewThread made = given.made;  // copied: the creator's frame stays only until we rest
  threads.identify(made.thread);
  os::catch_calls_here();
  made.prepare(made.thread);
  threads.rest(made.thread);
  return made.run(made.thread, made.routine, made.argument);
}

/// Finds where glibc keeps the id word that the kernel clears when a thread ends.
bool KernelThreads::learn_id_word(unsigned long handle, int kernel_id) {
  constexpr std::size_t kDescriptorSize = 2048;  // glibc's is about 2,300 bytes
  for (std::size_t offset = 0; offset < kDescriptorSize; offset += sizeof(int)) {
    if (*reinterpret_cast<const int*>(handle + offset) != kernel_id) continue;
    id_word_offset_ = offset;
    return true;
  }
  return false;
}

void KernelThreads::give_turn(Thread& to) {
  control_.current_slot = to.slot;
  to.switcher.baton.store(kTurn, std::memory_order_release);
  os::futex_wake(to.switcher.baton, /*shared=*/false);
}

void KernelThreads::await_turn(Thread& self) {
  while (self.switcher.baton.load(std::memory_order_acquire) != kTurn) {
    os::futex_wait<std::uint32_t>(self.switcher.baton, kAway, /*shared=*/false);
  }
  self.switcher.baton.store(kAway, std::memory_order_relaxed);
  if (!self.switcher.departing) return;
  // The previous thread has ended but may still be freeing its memory. Until the kernel has cleared
  // its id word, it could change what our next allocation returns.
  std::atomic<std::int32_t>* word = self.switcher.departing;
  self.switcher.departing = nullptr;
  for (std::int32_t id = word->load(); id > 0; id = word->load()) {
    os::futex_wait(*word, id, /*shared=*/true);
  }
}

void KernelThreads::hand_over(Thread& from, Thread& to) {
  os::unravel_save_registers(&from.record->registers);
  give_turn(to);
  await_turn(from);
  asm volatile("");  // no tail call: the frame whose registers were saved must stay
}

void KernelThreads::leave_to(Thread& from, Thread& to) {
  to.switcher.departing = id_word(from);
  give_turn(to);
}

/// A new thread's first rest: tells its creator that it rests, and waits for the turn.
void KernelThreads::rest(Thread& self) {
  os::unravel_save_registers(&self.record->registers);
  self.switcher.baton.store(kResting, std::memory_order_release);
  os::futex_wake(self.switcher.baton, /*shared=*/false);
  while (self.switcher.baton.load(std::memory_order_acquire) == kResting) {
    os::futex_wait<std::uint32_t>(self.switcher.baton, kResting, /*shared=*/false);
  }
  await_turn(self);
  asm volatile("");  // as in hand_over
}

/// The creator's side: returns when `created` rests.
void KernelThreads::await_rest(Thread& created) {
  while (created.switcher.baton.load(std::memory_order_acquire) != kResting) {
    os::futex_wait<std::uint32_t>(created.switcher.baton, kAway, /*shared=*/false);
  }
}

}  // namespace unravel
