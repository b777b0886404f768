#include "report/cycle.hpp"

#include <fmt/format.h>

#include <string_view>

#include "report/text.hpp"

namespace unravel {

namespace {

/// The parts of "T1→mutex 1→T2→mutex 2→T1".
std::vector<std::string> parts_of(std::string_view text) {
  constexpr std::string_view kArrow = "→";
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t arrow = text.find(kArrow);
    parts.push_back(clean(text.substr(0, arrow)));
    if (arrow == text.npos) return parts;
    text.remove_prefix(arrow + kArrow.size());
  }
}

}  // namespace

std::vector<Waiting> cycle_of(const Failure& failure) {
  if (failure.kind != FailureKind::kDeadlock) return {};
  const std::vector<std::string> parts = parts_of(failure.detail);
  if (parts.size() % 2 == 0) return {};
  std::vector<Waiting> cycle;
  for (std::size_t i = 0; i + 2 < parts.size(); i += 2) {
    Waiting waiting{.thread = parts[i], .object = parts[i + 1], .holder = parts[i + 2], .wait = {}};
    if (waiting.object == "join") {
      waiting.object.clear();
      waiting.wait = "waits for " + waiting.holder + " to end";
    } else {
      waiting.wait = "waits for " + waiting.object;
    }
    cycle.push_back(std::move(waiting));
  }
  return cycle;
}

std::string cycle_text(const Failure& failure) {
  std::string text;
  for (const Waiting& waiting : cycle_of(failure)) {
    text += fmt::format("  {} {}", waiting.thread, waiting.wait);
    if (waiting.holder == waiting.thread) {
      text += ", which it holds itself";
    } else if (!waiting.object.empty()) {
      text += ", which " + waiting.holder + " holds";
    }
    text += "\n";
  }
  return text;
}

}  // namespace unravel
