#include "report/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <string>

namespace unravel {

namespace {

// Chosen by hand.
constexpr std::size_t kColumnsWithoutTerminal = 100;
constexpr std::size_t kFewestColumns = 40;  // a narrower table is unreadable
constexpr std::size_t kMostColumns = 1000;

/// Returns 0 or errno.
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

Terminal::Terminal(Color color)
    : is_interactive_(::isatty(STDERR_FILENO) != 0),
      out_paint_(paints(color, STDOUT_FILENO)),
      note_paint_(paints(color, STDERR_FILENO)) {}

void Terminal::out(std::string_view text) {
  if (error_ == 0) error_ = write_all(STDOUT_FILENO, text);
}

void Terminal::note(std::string_view text) const { write_all(STDERR_FILENO, text); }

std::size_t Terminal::columns() const {
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
