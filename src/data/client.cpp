#include "data/client.hpp"

#include <string.h>

namespace unravel {

std::string describe(const ClientEnd& end) {
  switch (end.kind) {
    case ClientEnd::Kind::kNotStarted: return "not started";
    case ClientEnd::Kind::kExited: return "exit status " + std::to_string(end.number);
    case ClientEnd::Kind::kKilled: {
      const char* name = ::sigabbrev_np(end.number);
      return name ? "SIG" + std::string(name) : "signal " + std::to_string(end.number);
    }
    case ClientEnd::Kind::kUnfinished: return "ended by unravel";
  }
  __builtin_unreachable();
}

}  // namespace unravel
