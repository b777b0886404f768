#include "base/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace unravel {

namespace {
constexpr int kExitOurFault = 3;
}

void assertion_failed(const char* file, int line, const char* condition, const char* sentence) {
  std::fprintf(stderr, "unravel: %s:%d: %s\n    this does not hold: %s\n", file, line, sentence,
               condition);
  std::fflush(stderr);
  // Not exit(): exit handlers may rely on the invariant that is broken.
  std::_Exit(kExitOurFault);
}

}  // namespace unravel
