#include "data/failure_title.hpp"

#include <string_view>

#include "base/text.hpp"

namespace unravel {

namespace {

/// The condition in the C library's message: "prog: file.c:3: main: Assertion `x' failed."
std::string assertion(const std::string& detail) {
  constexpr std::string_view kBefore = "Assertion `";
  constexpr std::string_view kAfter = "' failed";
  const std::size_t begin = detail.find(kBefore);
  const std::size_t end = detail.rfind(kAfter);
  if (begin == detail.npos || end == detail.npos || end < begin + kBefore.size()) return detail;
  return detail.substr(begin + kBefore.size(), end - begin - kBefore.size());
}

}  // namespace

std::string failure_title(const Failure& failure) {
  const std::string detail = clean(failure.detail);
  const std::string thread = "T" + std::to_string(failure.thread);
  switch (failure.kind) {
    case FailureKind::kAssert: return "assertion failed in " + thread + ": " + assertion(detail);
    case FailureKind::kSignal: return detail + " in " + thread;
    case FailureKind::kExit: return detail;
    case FailureKind::kTerminate: return "terminated by " + thread + ": " + detail;
    case FailureKind::kDeadlock: return "deadlock: " + detail;
    case FailureKind::kLostWakeup: return "lost wakeup: " + detail;
    case FailureKind::kLivelock: return "livelock: " + detail;
    case FailureKind::kTimeout: return "timeout: " + detail;
    case FailureKind::kOracle: return detail;
  }
  __builtin_unreachable();
}

}  // namespace unravel
