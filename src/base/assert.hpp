/// An invariant as an assertion that stays on in release builds.
#pragma once

namespace unravel {

/// Prints place and sentence, and exits with the status of an internal error.
[[noreturn]] void assertion_failed(const char* file, int line, const char* condition,
                                   const char* sentence);

}  // namespace unravel

/// `sentence` says what is wrong when `condition` does not hold.
#define UNRAVEL_ASSERT(condition, sentence) \
  ((condition) ? void() : ::unravel::assertion_failed(__FILE__, __LINE__, #condition, sentence))
