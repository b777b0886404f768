#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

#include "base/files.hpp"
#include "report/json.hpp"

namespace unravel {

namespace {

constexpr std::size_t kColumnsWithoutTerminal = 100;
constexpr std::size_t kFewestColumns = 40;  // a narrower table is no table
constexpr std::size_t kMostColumns = 1000;

/// 0, or the error.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

bool paints(Color color, int fd) {
  switch (color) {
    case Color::kAlways: return true;
    case Color::kNever: return false;
    case Color::kAuto: break;
  }
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(fd) && !(no_color && *no_color) &&
         !(terminal && std::string_view(terminal) == "dumb");
}

}  // namespace

Console::Console(const CommonOptions& options)
    : options_(options),
      note_is_terminal_(::isatty(STDERR_FILENO) != 0),
      out_paint_(paints(options.color, STDOUT_FILENO)),
      note_paint_(paints(options.color, STDERR_FILENO)) {}

void Console::out(std::string_view text) const {
  if (out_error_ == 0) out_error_ = write_all(STDOUT_FILENO, text);
}

void Console::note(std::string_view text) const { write_all(STDERR_FILENO, text); }

void Console::warn(std::string_view text) const {
  if (options_.quiet || !warnings_.emplace(text).second) return;
  note("unravel: " + note_paint_.yellow("warning") + ": " + clean(text) + "\n");
}

int Console::complain_in_words(const Error& error) const {
  std::string text = "unravel: " + clean(error.what) + "\n";
  if (!error.why.empty()) text += "    " + clean(error.why) + "\n";
  if (!error.hint.empty()) text += "    " + clean(error.hint) + "\n";
  if (error.kind == Error::Kind::kInternal) text += "    this is a fault of unravel's own\n";
  note(text);
  return error.kind == Error::Kind::kInternal ? kOurFault : kUserOrEnvironment;
}

int Console::complain(const Error& error) const {
  const int status = complain_in_words(error);
  if (options_.json) out(error_json(error));
  return status;
}

int Console::finish(int status) const {
  if (out_error_ == 0) return status;
  if (out_error_ != EPIPE) {
    Error error = file_error("write to", "standard output", out_error_);
    error.hint = "what was to be printed is not complete; kept runs are in the store";
    complain_in_words(error);
  }
  return graver(status, kUserOrEnvironment);
}

std::size_t Console::columns() const {
  std::size_t columns = 0;
  if (const char* variable = std::getenv("COLUMNS")) {
    const std::string_view text = variable;
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  if (columns == 0) {
    winsize size = {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  }
  if (columns == 0) return kColumnsWithoutTerminal;
  return std::min(std::max(columns, kFewestColumns), kMostColumns);
}

}  // namespace unravel
