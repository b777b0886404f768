#include "predict/suppressions.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace unravel {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

std::string as_code(std::string_view text) { return "`" + std::string(text) + "`"; }

constexpr const char* kForm = "a line is function:GLOB, file:GLOB, variable:GLOB or a # comment";

}  // namespace

// Backtracks to the last `*` only: matches of earlier ones need not change any more.
bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t i = 0;
  std::optional<std::size_t> star;
  std::size_t star_end = 0;  // end of what the star matches
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_end = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star) {
      at = *star + 1;
      i = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

Result<Suppressions::Glob> Suppressions::parse_line(std::string_view line,
                                                    const std::string& place) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return user_error(
        place + as_code(line) + " is no suppression: there is no `:` in it", kForm,
        "write " + as_code("function:" + std::string(line)) + " if it is the name of a function");
  }
  const std::string_view kind = trimmed(line.substr(0, colon));
  const std::string_view pattern = trimmed(line.substr(colon + 1));
  std::optional<Of> of;
  if (kind == "function") of = Of::kFunction;
  if (kind == "file") of = Of::kFile;
  if (kind == "variable") of = Of::kVariable;
  if (!of) {
    return user_error(place + as_code(kind) + " is nothing that races are suppressed by", kForm,
                      "write `function`, `file` or `variable` before the first `:`");
  }
  if (pattern.empty()) {
    return user_error(place + "there is nothing after " + as_code(std::string(kind) + ":"), kForm,
                      "name what is meant; " + as_code(std::string(kind) + ":*") + " means all");
  }
  return Glob{*of, std::string(pattern)};
}

Result<Suppressions> Suppressions::parse(std::string_view text, std::string_view source) {
  Suppressions suppressions;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    Result<Glob> glob = parse_line(line, std::string(source) + ":" + std::to_string(number) + ": ");
    if (!glob) return fail(std::move(glob.error()));
    suppressions.globs_.push_back(std::move(*glob));
  }
  return suppressions;
}

bool Suppressions::matches(const Glob& glob, const Frame& frame) {
  if (glob.of == Of::kFunction) return glob_matches(glob.pattern, frame.function);
  std::string_view file = frame.file;
  if (glob.pattern.find('/') == std::string::npos) file = file.substr(file.rfind('/') + 1);
  return !file.empty() && glob_matches(glob.pattern, file);
}

bool Suppressions::match(const Stack& one, const Stack& other, std::string_view variable) const {
  return std::any_of(globs_.begin(), globs_.end(), [&](const Glob& glob) {
    if (glob.of == Of::kVariable) {
      return !variable.empty() && glob_matches(glob.pattern, variable);
    }
    const auto in = [&](const Frame& frame) { return matches(glob, frame); };
    return std::any_of(one.begin(), one.end(), in) || std::any_of(other.begin(), other.end(), in);
  });
}

}  // namespace unravel
