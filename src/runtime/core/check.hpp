/// Invariants of the runtime. They stay on in release: a scheduler that guesses would blame the
/// program for a fault of ours.
#pragma once

namespace unravel {

/// Ends the run as an error of ours, with this message. Never returns.
[[noreturn]] void runtime_fault(const char* sentence);

}  // namespace unravel

#define UNRAVEL_CHECK(condition, sentence)                    \
  do {                                                        \
    if (__builtin_expect(!(condition), 0)) {                  \
      ::unravel::runtime_fault(sentence " (" #condition ")"); \
    }                                                         \
  } while (false)
