#include "investigate/known_failures.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "data/failure_match.hpp"
#include "data/outcome.hpp"

namespace unravel {

namespace {

constexpr const char* kForm =
    "a line is the key of a failure, the start of a key followed by *, or a # comment";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// A key starts with its kind, as in "assert: …", or is only the kind.
bool has_kind(std::string_view line) {
  std::string_view kind = line.substr(0, line.find(':'));
  if (kind.size() == line.size() && kind.ends_with('*')) kind.remove_suffix(1);
  return failure_kind_named(kind).has_value();
}

}  // namespace

Result<KnownFailures> KnownFailures::parse(std::string_view text, std::string_view source) {
  KnownFailures known;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (!has_kind(line)) {
      return user_error(std::string(source) + ":" + std::to_string(number) + ": '" +
                            std::string(line) + "' does not start with a kind of failure",
                        kForm, "copy the key from a report; kinds are " + all_failure_kinds());
    }
    if (line.ends_with('*')) {
      known.beginnings_.emplace_back(line.substr(0, line.size() - 1));
    } else {
      known.keys_.emplace_back(line);
    }
  }
  return known;
}

Result<KnownFailures> KnownFailures::read(const std::filesystem::path& file) {
  const Result<std::string> text = read_text_file(file);
  if (!text) return fail(text.error());
  return parse(*text, file.string());
}

bool KnownFailures::knows(const std::string& key) const {
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](const std::string& kept) { return is_same_key(kept, key); }) ||
         std::any_of(beginnings_.begin(), beginnings_.end(),
                     [&](const std::string& beginning) { return key.starts_with(beginning); });
}

}  // namespace unravel
