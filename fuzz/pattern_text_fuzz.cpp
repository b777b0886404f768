// The reader of patterns never crashes on any text, keeps its limits, and reads the same again of
// what it has read.
#include <cstdlib>
#include <set>
#include <string>

#include "predict/pattern_text.hpp"

namespace {

using unravel::Pattern;
using unravel::PatternEvent;

std::string text_of(const Pattern& pattern) {
  std::string text = "pattern " + pattern.name;
  if (pattern.is_adjacent) text += " adjacent";
  if (pattern.is_of_set) text += " set";
  text += '\n';
  for (const PatternEvent& event : pattern.events) {
    text += 't' + std::to_string(event.thread) + " u" + std::to_string(event.unit);
    text += event.is_write ? " write v" : " read v";
    text += std::to_string(event.variable) + '\n';
  }
  return text;
}

bool is_within_limits(const Pattern& pattern) {
  std::set<unsigned> threads;
  for (const PatternEvent& event : pattern.events) {
    threads.insert(event.thread);
    if (event.thread >= Pattern::kMostThreads || event.unit >= Pattern::kMostEvents ||
        event.variable >= Pattern::kMostVariables) {
      return false;
    }
  }
  return !pattern.name.empty() && pattern.events.size() <= Pattern::kMostEvents &&
         threads.size() >= 2;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = unravel::parse_patterns(text, "fuzzed");
  if (!read) {
    if (read.error().what.empty() || read.error().hint.empty()) std::abort();
    return 0;
  }
  std::string again;
  for (const Pattern& pattern : *read) {
    if (!is_within_limits(pattern)) std::abort();
    again += text_of(pattern);
  }
  if (unravel::parse_patterns(again, "again") != read) std::abort();
  return 0;
}
