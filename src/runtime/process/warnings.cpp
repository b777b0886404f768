#include "runtime/process/warnings.hpp"

#include <fcntl.h>

#include <cstring>

#include "runtime/os/system_call.hpp"

namespace unravel {
namespace {

constexpr std::size_t kSize = sizeof(wire::Control::uncontrolled);

/// The line that says that there was no room for more; its size includes both newlines.
constexpr char kMore[] = "+";
constexpr std::size_t kRoomForMore = sizeof "\n+";

/// Writes the path of the descriptor's directory, followed by '/'. Returns its length, or 0.
std::size_t name_of(int directory, char* name, std::size_t size) {
  char link[32] = "/proc/self/fd/";
  std::size_t end = std::strlen(link);
  char digits[12];
  int count = 0;
  for (int left = directory; left > 0 || count == 0; left /= 10) {
    digits[count++] = static_cast<char>('0' + left % 10);
  }
  while (count > 0) link[end++] = digits[--count];
  link[end] = '\0';
  const long length =
      os::call(SYS_readlink, os::as_argument(link), os::as_argument(name), static_cast<long>(size));
  if (length <= 0 || static_cast<std::size_t>(length) + 1 >= size) return 0;
  name[length] = '/';
  return static_cast<std::size_t>(length) + 1;
}

}  // namespace

void Warnings::add_uncontrolled(const char* what) {
  if (add(what)) return;
  std::strncpy(control_.uncontrolled, what, kSize - 1);
}

void Warnings::add_file(int directory, const char* path) {
  if (settings_.sandboxed) return;
  if (std::strncmp(path, "/proc/", 6) == 0 || std::strncmp(path, "/sys/", 5) == 0) return;
  char line[kSize];
  std::size_t begin = 0;
  if (path[0] != '/' && directory >= 0) begin = name_of(directory, line, sizeof line);
  if (begin == 0 && path[0] != '/' && path[0] != '.') {
    line[begin++] = '.';
    line[begin++] = '/';
  }
  const std::size_t length = std::strlen(path);
  const bool fits = begin + length < sizeof line && !std::strchr(path, '\n');
  if (fits) std::memcpy(line + begin, path, length + 1);
  if ((!fits || !add(line)) && !has(kMore)) append(kMore);
}

bool Warnings::has(const char* line) const {
  const std::size_t length = std::strlen(line);
  const char* text = control_.uncontrolled;
  for (const char* at = std::strstr(text, line); at; at = std::strstr(at + 1, line)) {
    const bool begins = at == text || at[-1] == '\n';
    if (begins && (at[length] == '\0' || at[length] == '\n')) return true;
  }
  return false;
}

/// Returns false if there is no room.
bool Warnings::add(const char* line) {
  if (has(line)) return true;
  if (has(kMore)) return false;
  const std::size_t used = std::strlen(control_.uncontrolled);
  if (used + 1 + std::strlen(line) + kRoomForMore > kSize) return false;
  append(line);
  return true;
}

void Warnings::append(const char* line) {
  std::size_t used = std::strlen(control_.uncontrolled);
  if (used) control_.uncontrolled[used++] = '\n';
  std::memcpy(control_.uncontrolled + used, line, std::strlen(line) + 1);
}

}  // namespace unravel
