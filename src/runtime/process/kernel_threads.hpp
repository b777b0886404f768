/// Kernel threads, of which one runs: a futex word each, all pinned to one CPU.
#pragma once

#include <cstddef>

#include "runtime/core/seams.hpp"
#include "wire/control.hpp"

namespace unravel {

class KernelThreads final : public Switcher {
 public:
  explicit KernelThreads(wire::Control& control) : control_(control) {}

  void hand_over(Thread& from, Thread& to) override;
  void leave_to(Thread& from, Thread& to) override;

  /// A new thread's first rest, until it is given the turn. Tells its creator that it rests.
  void rest(Thread& self);
  /// The creator's side: returns when `created` rests.
  void await_rest(Thread& created);

  /// Finds where glibc keeps the id word that the kernel clears at a thread's end.
  bool learn_id_word(unsigned long handle, int kernel_id);

 private:
  void give_turn(Thread& to);
  void await_turn(Thread& self);

  [[nodiscard]] std::atomic<std::int32_t>* id_word(const Thread& thread) const;

  wire::Control& control_;
  std::size_t id_word_offset_ = 0;  // of `tid` in glibc's thread descriptor; no header tells
};

}  // namespace unravel
