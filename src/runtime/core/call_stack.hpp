/// Which functions of instrumented code a thread is in, as their entries and coverage callbacks
/// tell.
///
/// A frame is known by where its stack is when it makes a call. Stacks grow down: whoever makes a
/// call from higher up shows that all frames below are gone, however they were left, by a return,
/// an exception or a jump. So nothing needs to be done, or could be missed, when a function ends.
/// Code on another stack (an alternate one for signals, a context of its own) may make frames that
/// are still there look gone: then a loop's next round is not seen.
#pragma once

#include <cstdint>

namespace unravel {

/// A function that has begun.
struct CallFrame {
  std::uintptr_t stack = 0;
  std::uintptr_t caller = 0;  // where the function will return to; 0: not known
  std::uintptr_t last = 0;    // its last callback, or its entry
};

class CallStack {
 public:
  // Deeper frames have no place here: loops in them are not seen.
  static constexpr std::uint32_t kMostFrames = 1024;
  /// So many are needed for one thread; the first bounds the others.
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

  /// A block of a function begins; whether that takes its frame back to where it was before.
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

  /// The frames that a call from `stack` is made in, innermost first.
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

  CallFrame* top_ = nullptr;  // null: of no thread
  CallFrame* limit_ = nullptr;
};

}  // namespace unravel
