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
  std::string detail = clean(failure.detail);
  if (failure.kind == FailureKind::kAssert) detail = assertion(detail);
  std::string title;
  for (const char* at = wire::traits(failure.kind).title; *at; ++at) {
    if (*at != '%') {
      title += *at;
    } else if (*++at == 't') {
      title += "T" + std::to_string(failure.thread);
    } else {
      title += detail;
    }
  }
  return title;
}

}  // namespace unravel
