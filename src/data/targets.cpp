#include "data/targets.hpp"

#include <algorithm>

namespace unravel {

namespace {

constexpr std::string_view kText = "text:";
constexpr std::string_view kStack = "stack:";

constexpr const char* kPrefixes =
    "write text:WORDS for words of the failure or of the error output, stack:NAME for a part of "
    "a function's or file's name";

bool contains_any(std::string_view text, const std::vector<std::string>& wanted) {
  return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& words) {
    return text.find(words) != std::string_view::npos;
  });
}

bool contains_any(const Stack& stack, const std::vector<std::string>& names) {
  return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) {
    return contains_any(frame.function, names) || contains_any(frame.file, names);
  });
}

/// Whether a thread is part of a standstill: if there is a cycle, only threads in it are.
bool takes_part(const ThreadAtFailure& thread, const std::string& detail) {
  const std::string arrow = "→";
  if (detail.find(arrow) == std::string::npos) return true;
  const std::string part = arrow + "T" + std::to_string(thread.thread) + arrow;
  return (arrow + detail + arrow).find(part) != std::string::npos;
}

bool has_frame(const Failure& failure, const std::vector<std::string>& names) {
  if (contains_any(failure.stack, names)) return true;
  if (failure.kind != FailureKind::kDeadlock && failure.kind != FailureKind::kLostWakeup) {
    return false;
  }
  return std::any_of(
      failure.threads.begin(), failure.threads.end(), [&](const ThreadAtFailure& thread) {
        return takes_part(thread, failure.detail) && contains_any(thread.stack, names);
      });
}

}  // namespace

bool Targets::allow(FailureKind kind) const {
  if (kinds.empty()) return kind != FailureKind::kTimeout;
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool Targets::match(const Failure& failure, std::string_view error_output) const {
  if (!allow(failure.kind)) return false;
  const bool has_text =
      texts.empty() || contains_any(failure.detail, texts) || contains_any(error_output, texts);
  return has_text && (stacks.empty() || has_frame(failure, stacks));
}

Result<Targets> parse_targets(const std::vector<std::string>& items) {
  Targets targets;
  for (const std::string& item : items) {
    const std::string_view prefix = item.starts_with(kText)    ? kText
                                    : item.starts_with(kStack) ? kStack
                                                               : std::string_view();
    if (!prefix.empty()) {
      const std::string words = item.substr(prefix.size());
      if (words.empty()) {
        return user_error("there is nothing after '" + item + "'", "every failure would have it",
                          kPrefixes);
      }
      (prefix == kText ? targets.texts : targets.stacks).push_back(words);
      continue;
    }
    const std::optional<FailureKind> kind = failure_kind_named(item);
    if (!kind) {
      return user_error("there is no kind of failure '" + item + "'",
                        "kinds are " + all_failure_kinds(),
                        std::string("name one of them, or ") + kPrefixes);
    }
    targets.kinds.push_back(*kind);
  }
  return targets;
}

}  // namespace unravel
