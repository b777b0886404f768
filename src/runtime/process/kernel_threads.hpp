/// The back end that makes each thread a kernel thread. One of them runs; each waits on a futex
/// word of its own, and all are pinned to one CPU.
#pragma once

#include <cstddef>

#include "runtime/core/seams.hpp"
#include "wire/control.hpp"

namespace unravel {

class KernelThreads final : public ThreadBackEnd {
 public:
  explicit KernelThreads(wire::Control& control) : control_(control) {}

  void hand_over(Thread& from, Thread& to) override;
  void leave_to(Thread& from, Thread& to) override;

  bool adopt(Thread& main) override;
  void identify(Thread& self) override;
  int caller_id() override;
  int create(const NewThread& made) override;

 private:
  /// What a new thread needs from its creator.
  struct Creation {
    KernelThreads& threads;
    const NewThread& made;
  };

  static void* begin(void* creation);
  void rest(Thread& self);
  void await_rest(Thread& created);
  bool learn_id_word(unsigned long handle, int kernel_id);
  void give_turn(Thread& to);
  void await_turn(Thread& self);

  [[nodiscard]] std::atomic<std::int32_t>* id_word(const Thread& thread) const;

  wire::Control& control_;
  std::size_t id_word_offset_ = 0;  // of `tid` in glibc's thread descriptor (in no header)
};

}  // namespace unravel
