#include "cli/debugger_link.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "cli/values.hpp"
#include "report/debugger_json.hpp"

namespace unravel {

namespace {

using Kind = DebuggerRequest::Kind;

// More than any request has.
constexpr std::size_t kMostBytes = 4096;

/// Requests without an argument.
constexpr std::pair<std::string_view, Kind> kWords[] = {
    {"again", Kind::kAgain},   {"attached", Kind::kAttached},   {"running", Kind::kRunning},
    {"where", Kind::kWhere},   {"threads", Kind::kThreads},     {"table", Kind::kTable},
    {"switch", Kind::kSwitch}, {"switch -", Kind::kSwitchBack}, {"cancel", Kind::kCancel},
};

/// Places with a name.
constexpr std::pair<std::string_view, Kind> kPlaces[] = {
    {"start", Kind::kStart},
    {"end", Kind::kEnd},
    {"failure", Kind::kFailure},
    {"critical", Kind::kCritical},
};

Result<DebuggerRequest> with_count(Kind kind, std::string_view name, const std::string& count) {
  if (count.empty()) return DebuggerRequest{.kind = kind, .place = {}};
  const Result<std::uint64_t> number = parse_number(name, count, 1);
  if (!number) return fail(number.error());
  return DebuggerRequest{.kind = kind, .place = {}, .count = *number};
}

Result<DebuggerRequest> to_place(const std::string& place) {
  for (const auto& [name, kind] : kPlaces) {
    if (place == name) return DebuggerRequest{.kind = kind, .place = {}};
  }
  const Result<NamedStop> stop = parse_stop(place);
  if (stop) return DebuggerRequest{.kind = Kind::kGoto, .place = *stop};
  Error error = stop.error();
  error.hint =
      "a place is a count of points such as 4711, a clock such as T1:12+3, FILE:LINE#N, start, "
      "end, failure or critical";
  return fail(std::move(error));
}

}  // namespace

Result<DebuggerRequest> parse_debugger_request(const std::string& line) {
  for (const auto& [name, kind] : kWords) {
    if (line == name) return DebuggerRequest{.kind = kind, .place = {}};
  }
  const std::size_t space = line.find(' ');
  const std::string word = line.substr(0, space);
  const std::string rest = space == std::string::npos ? std::string() : line.substr(space + 1);
  if (word == "goto") return to_place(rest);
  if (word == "step") return with_count(Kind::kStep, "unravel step", rest);
  if (word == "back") return with_count(Kind::kBack, "unravel back", rest);
  return user_error("'" + line + "' is no request");
}

void DebuggerPipes::read_more(std::chrono::milliseconds most) {
  pollfd waited{.fd = input_, .events = POLLIN, .revents = 0};
  if (::poll(&waited, 1, static_cast<int>(most.count())) <= 0) return;
  char bytes[kMostBytes];
  const ssize_t got = ::read(input_, bytes, sizeof bytes);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) {
    is_closed_ = true;
    return;
  }
  unfinished_.append(bytes, static_cast<std::size_t>(got));
  for (std::size_t end; (end = unfinished_.find('\n')) != std::string::npos;) {
    lines_.push_back(unfinished_.substr(0, end));
    unfinished_.erase(0, end + 1);
  }
  if (unfinished_.size() > kMostBytes) is_closed_ = true;
}

std::optional<DebuggerRequest> DebuggerPipes::next(std::chrono::milliseconds most) {
  if (lines_.empty() && !is_closed_) read_more(most);
  if (lines_.empty()) return std::nullopt;
  const std::string line = std::move(lines_.front());
  lines_.pop_front();
  Result<DebuggerRequest> request = parse_debugger_request(line);
  if (request) return *request;
  answer(request.error());
  return std::nullopt;
}

void DebuggerPipes::answer(const DebuggerAnswer& answer) {
  const std::string line = debugger_json(answer);
  for (std::size_t done = 0; done < line.size() && !is_closed_;) {
    const ssize_t wrote = ::write(output_, line.data() + done, line.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) is_closed_ = true;
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

}  // namespace unravel
