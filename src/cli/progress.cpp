#include "cli/progress.hpp"

#include <fmt/format.h>

namespace unravel {

namespace {

constexpr auto kEvery = std::chrono::milliseconds(200);  // faster than one can read

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

Progress::Progress(const Console& console, std::uint64_t total)
    : console_(console), total_(total), began_(std::chrono::steady_clock::now()), last_(began_) {}

void Progress::show(std::uint64_t runs) {
  if (!console_.note_is_terminal() || console_.options().quiet) return;
  const Time now = std::chrono::steady_clock::now();
  if (now - last_ < kEvery) return;
  last_ = now;
  const double elapsed = seconds(now - began_);
  const double rate = static_cast<double>(runs) / elapsed;
  console_.note(fmt::format("\r\033[Kunravel: {} of {} runs, {:.0f}/s, {:.0f} s left", runs, total_,
                            rate, static_cast<double>(total_ - runs) / rate));
  shown_ = true;
}

void Progress::clear() {
  if (shown_) console_.note("\r\033[K");
  shown_ = false;
}

}  // namespace unravel
