#include "cli/schedule_argument.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

#include "base/files.hpp"

namespace unravel {

namespace {

bool looks_like_string(std::string_view text) {
  const std::size_t dot = text.find('.');
  return text.starts_with("u") && dot != text.npos && dot > 1 &&
         text.find_first_not_of("0123456789", 1) == dot;
}

}  // namespace

Result<Schedule> read_schedule_argument(const std::string& argument) {
  std::error_code ignored;
  if (!std::filesystem::exists(argument, ignored) && looks_like_string(argument)) {
    return schedule_from_string(argument);
  }
  const Result<std::string> content = read_text_file(argument);
  if (!content) return fail(content.error());
  const std::string_view text = *content;
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  Result<Schedule> schedule = looks_like_string(text.substr(begin))
                                  ? schedule_from_string(text)
                                  : decode_schedule(std::as_bytes(std::span(text)));
  if (schedule) return schedule;
  Error error = schedule.error();
  error.what = argument + ": " + error.what;
  return fail(std::move(error));
}

}  // namespace unravel
