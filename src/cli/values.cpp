#include "cli/values.hpp"

#include <signal.h>
#include <string.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "data/details.hpp"
#include "data/print.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

// One day. A longer time is a typing error, and could overflow. Chosen by hand.
constexpr std::chrono::milliseconds kLongestTimeout{kMostTimeoutMilliseconds};

constexpr const char* kClockHint =
    "T1:12 is right after the 12th operation of T1, T1:12+37 is its 37th hook after that; the "
    "first column of `unravel show` has the clocks of a run";

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto wrong = [&] {
    return user_error("'" + std::string(text) + "' is not a time",
                      "a time is a number above 0 followed by ms, s, m or h, up to one day",
                      "for example: 500ms or 10s");
  };
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !(number > 0)) return wrong();
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double milliseconds = unit == "ms"                  ? number
                              : unit == "s" || unit.empty() ? number * 1e3
                              : unit == "m"                 ? number * 60e3
                              : unit == "h"                 ? number * 3600e3
                                                            : 0;
  if (!(milliseconds >= 1) || milliseconds > static_cast<double>(kLongestTimeout.count())) {
    return wrong();
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
}

Result<std::uint64_t> parse_size(std::string_view option, std::string_view text,
                                 std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.size() > 1 && unit.ends_with("iB")) unit.remove_suffix(2);
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  if (error == std::errc{} && shift >= 0 && number <= most >> shift) return number << shift;
  return user_error("'" + std::string(text) + "' is not a size for " + std::string(option),
                    "a size is a number of bytes, or a number followed by K, M or G, up to " +
                        std::to_string(most >> 30) + "G",
                    "for example: 512K or 64M");
}

Result<std::uint64_t> parse_number(std::string_view option, std::string_view text,
                                   std::uint64_t least) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && end == text.data() + text.size() && number >= least) return number;
  const std::string range = least == 0 ? "from 0" : "above " + std::to_string(least - 1);
  return user_error(std::string(option) + " takes a whole number " + range + " up to " +
                    std::to_string(std::numeric_limits<std::uint64_t>::max()) + ", not '" +
                    std::string(text) + "'");
}

Result<std::optional<int>> parse_skip_status(std::string_view text) {
  if (text == "none") return std::optional<int>();
  int status = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  if (is_number && status >= 1 && status <= 255) return std::optional<int>(status);
  return user_error("--skip-status takes `none` or an exit status from 1 to 255, not '" +
                    std::string(text) + "'");
}

Result<int> parse_signal(std::string_view text) {
  if (text == "none") return 0;
  const std::string_view name = text.starts_with("SIG") ? text.substr(3) : text;
  for (int signal = 1; signal < SIGRTMIN; ++signal) {
    const char* known = ::sigabbrev_np(signal);
    if (!known || name != known) continue;
    if (signal != SIGKILL && signal != SIGSTOP) return signal;
    return user_error("--with-signal cannot be " + std::string(text),
                      "the program would not notice it, so it could not be recorded",
                      "use TERM, INT or another signal");
  }
  return user_error("--with-signal takes `none` or the name of a signal such as TERM, not '" +
                    std::string(text) + "'");
}

Result<std::size_t> parse_rows(std::string_view text) {
  if (text == "all") return TableOptions::kAllRows;
  std::size_t rows = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rows);
  if (error != std::errc{} || end != text.data() + text.size() || rows == 0) {
    return user_error("--rows takes `all` or a number above 0, not '" + std::string(text) + "'");
  }
  return rows;
}

Result<wire::StopAt> parse_clock(std::string_view text) {
  const auto clock = read_clock(text);
  if (!clock) return user_error("'" + std::string(text) + "' is not a clock", {}, kClockHint);
  return wire::StopAt{.thread = clock->first, .clock = clock->second};
}

Result<NamedStop> parse_stop(std::string_view text) {
  if (text.empty())
    return user_error("--at is missing", "it says at which moment to stop the run", kClockHint);
  std::uint64_t points = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), points);
  if (error == std::errc{} && end == text.data() + text.size()) {
    if (points > 0) return NamedStop{.at = {}, .points = points};
    return user_error("0 is not a point", "points are counted from 1",
                      "--at 1 is where the run passes its first point");
  }
  if (text.find_first_not_of("0123456789") == text.npos) {
    return user_error("'" + std::string(text) + "' is too large for a count of points");
  }
  const Result<wire::StopAt> at = parse_clock(text);
  if (at) return NamedStop{.at = *at, .points = {}};
  return user_error("'" + std::string(text) + "' is not a clock or a count of points", {},
                    kClockHint);
}

Result<std::vector<NamedStop>> parse_stops(const std::vector<std::string>& texts) {
  std::vector<NamedStop> moments;
  for (const std::string& text : texts) {
    const Result<NamedStop> moment = parse_stop(text);
    if (!moment) return fail(moment.error());
    moments.push_back(*moment);
  }
  return moments;
}

Result<wire::PointSet> parse_points(std::string_view points) {
  if (points == "sync") return wire::PointSet::kSync;
  if (points == "calls") return wire::PointSet::kCalls;
  if (points == "memory") return wire::PointSet::kMemory;
  if (points == "auto") return wire::PointSet::kAuto;
  constexpr const char* kHint = "use --points sync, calls, memory or auto, or leave it out";
  return user_error("unknown set of points '" + std::string(points) + "'", {}, kHint);
}

Result<TraceWindow> parse_window(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == text.npos) {
    return user_error("'" + std::string(text) + "' is not a window of clocks",
                      "a window has the form T1:3..T1:20");
  }
  const auto from = parse_clock(text.substr(0, dots));
  if (!from) return fail(from.error());
  const auto to = parse_clock(text.substr(dots + 2));
  if (!to) return fail(to.error());
  if (from->thread != to->thread || to->clock <= from->clock) {
    return user_error(
        "'" + std::string(text) + "' is not a window of clocks",
        "a window goes from one clock of a thread to a later clock of the same thread");
  }
  return TraceWindow{.thread = from->thread, .from = from->clock, .to = to->clock};
}

Result<void> check_command(std::string_view name) {
  std::vector<std::string> known;
  for (const CommandEntry& entry : all_commands()) known.emplace_back(entry.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  const std::string guess = nearest(name, known);
  return user_error("unknown command '" + std::string(name) + "'" +
                        (guess.empty() ? std::string() : ", did you mean '" + guess + "'?"),
                    {}, "`unravel --help` shows what there is");
}

}  // namespace unravel
