#include "run/failure_key.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

namespace unravel {
namespace {

// Such an abort happens where the damage was noticed, not where it was done.
bool is_heap_corruption(const Stack& stack) {
  constexpr std::array<std::string_view, 4> kNoticed = {"malloc_printerr", "__libc_message",
                                                        "__fortify_fail", "__stack_chk_fail"};
  return std::any_of(stack.begin(), stack.end(), [&](const Frame& frame) {
    return std::find(kNoticed.begin(), kNoticed.end(), frame.function) != kNoticed.end();
  });
}

std::string describe_cycle_sites(std::vector<CycleSites> cycle) {
  // A cycle has no first thread: of all rotations, the smallest is the key.
  std::vector<CycleSites> smallest = cycle;
  for (std::size_t i = 1; i < cycle.size(); ++i) {
    std::rotate(cycle.begin(), cycle.begin() + 1, cycle.end());
    smallest = std::min(smallest, cycle);
  }
  std::string text;
  for (const CycleSites& edge : smallest) {
    text += (text.empty() ? "" : "; ") + ("held " + edge.held) + ", wanted " + edge.wanted;
  }
  return text;
}

}  // namespace

std::string describe_place(const Frame& frame) {
  std::string text = frame.function.empty() ? "?" : frame.function;
  if (!frame.file.empty()) {
    return text + " " + frame.file + (frame.line > 0 ? ":" + std::to_string(frame.line) : "");
  }
  if (frame.module.empty()) return text;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(frame.offset));
  return text + " " + std::filesystem::path(frame.module).filename().string() + offset;
}

void set_key(Failure& failure, std::vector<CycleSites> cycle) {
  failure.key = name(failure.kind);
  failure.weak_key = is_heap_corruption(failure.stack);
  if (failure.kind == FailureKind::kExit || failure.kind == FailureKind::kOracle) {
    // After the colon is the line that differs, with values of this run.
    failure.key += ": " + failure.detail.substr(0, failure.detail.find(':'));
  } else if (!cycle.empty()) {
    failure.key += ": " + describe_cycle_sites(std::move(cycle));
  } else if (failure.site) {
    failure.key += ": " + describe_place(*failure.site);
  } else {
    // The place is not known: use only the signal's name, or a text without thread numbers.
    if (failure.kind == FailureKind::kSignal || failure.kind == FailureKind::kAssert ||
        failure.kind == FailureKind::kTerminate) {
      failure.key += ": " + failure.detail;
    }
    failure.weak_key = true;
  }
}

}  // namespace unravel
