#include "cli/standard_input.hpp"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/files.hpp"

namespace unravel {

namespace {

// By then, a process that pipes its output to us has usually written something. Many tools start
// others with an open pipe that is never written to or closed. Chosen by hand.
constexpr int kFirstByteMilliseconds = 300;

// The longest pause within one input. Chosen by hand.
constexpr int kNextByteMilliseconds = 10'000;

enum class Ready { kYes, kNo, kInterrupted };

Ready wait_for_input(int milliseconds, const ReportingObserver& observer) {
  pollfd both[] = {{STDIN_FILENO, POLLIN, 0}, {observer.descriptor(), POLLIN, 0}};
  int ready = 0;
  do {
    ready = ::poll(both, 2, milliseconds);
  } while (ready < 0 && errno == EINTR && !observer.interrupted());
  if (both[1].revents != 0 || observer.interrupted()) return Ready::kInterrupted;
  return ready > 0 ? Ready::kYes : Ready::kNo;
}

}  // namespace

Result<std::string> read_standard_input(ReportingObserver& observer) {
  struct stat status = {};
  if (::isatty(STDIN_FILENO) || ::fstat(STDIN_FILENO, &status) != 0) return std::string();
  const bool may_wait = !S_ISREG(status.st_mode);
  std::string input;
  std::array<char, 64 * 1024> chunk;
  for (;;) {
    if (may_wait) {
      const int patience = input.empty() ? kFirstByteMilliseconds : kNextByteMilliseconds;
      const Ready ready = wait_for_input(patience, observer);
      if (ready == Ready::kInterrupted) return fail(interrupted_error());
      if (ready == Ready::kNo) {
        if (!input.empty()) {
          observer.warn("stdin did not end; using the bytes read so far");
        }
        return input;
      }
    }
    const ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(file_error("read", "standard input", errno));
    if (got == 0) return input;
    input.append(chunk.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace unravel
