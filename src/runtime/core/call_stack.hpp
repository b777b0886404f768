/// The functions of instrumented code that a thread is in, known from their entries and coverage
/// callbacks.
///
/// A frame is identified by its stack pointer when it makes a call. Stacks grow down, so a call
/// from a higher address shows that all frames below it are gone, whether they ended by a return,
/// an exception or a jump. So the end of a function needs no callback. Code on another stack (an
/// alternate signal stack, a context of its own) may make live frames look gone; then the next
/// round of a loop is missed.
#pragma once

#include <cstdint>

namespace unravel {

/// A function that was entered and has not ended.
struct CallFrame {
  std::uintptr_t stack = 0;
  std::uintptr_t caller = 0;  // where the function will return to; 0: not known
  std::uintptr_t last = 0;    // its last callback, or its entry
};

class CallStack {
 public:
  // Deeper frames are not kept, and loops in them are not seen. Chosen by hand.
  static constexpr std::uint32_t kMostFrames = 1024;
  /// The size of one thread's array: its first element is a sentinel that bounds the others.
  static constexpr std::uint32_t kFrames = kMostFrames + 1;

  CallStack() = default;
  explicit CallStack(CallFrame* frames) : top_(frames), limit_(frames + kMostFrames) {
    *frames = kBound;
  }

  /// A function begins.
  void enter(std::uintptr_t stack, std::uintptr_t place, std::uintptr_t caller) {
    if (!top_) return;
    while (top_->stack <= stack) --top_;
    push({.stack = stack, .caller = caller, .last = place});
  }

  /// A block of a function begins. Returns whether it jumps back in its frame: a loop's next round.
  bool repeats(std::uintptr_t stack, std::uintptr_t place) {
    if (!top_) return false;
    while (top_->stack < stack) --top_;
    if (top_->stack != stack) {
      push({.stack = stack, .last = place});
      return false;
    }
    const bool back = place <= top_->last;
    top_->last = place;
    return back;
  }

  /// The frames that are live at a call from `stack`, innermost first.
  template <class Visit>
  void for_each_at(std::uintptr_t stack, Visit visit) const {
    for (const CallFrame* frame = top_; frame && frame->stack != kBound.stack; --frame) {
      if (frame->stack >= stack) visit(*frame);
    }
  }

 private:
  static constexpr CallFrame kBound = {.stack = ~std::uintptr_t{0}};

  void push(const CallFrame& frame) {
    if (top_ != limit_) *++top_ = frame;
  }

  CallFrame* top_ = nullptr;  // null: belongs to no thread
  CallFrame* limit_ = nullptr;
};

}  // namespace unravel
