#include "run/capture.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/files.hpp"

namespace unravel {
namespace {

// Enough for the output of many ordinary runs; what is forgotten is never read again.
constexpr std::uint64_t kTrimAbove = std::uint64_t{1} << 20;

Result<UniqueFd> nameless_file(const std::string& directory) {
  UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
  if (file) return file;
  // Not every file system has nameless files.
  std::string name = directory + "/output-XXXXXX";
  file.reset(::mkostemp(name.data(), O_APPEND | O_CLOEXEC));
  if (!file) return fail(file_error("write in", directory, errno));
  ::unlink(name.c_str());
  return file;
}

void append_range(int file, std::uint64_t begin, std::uint64_t end, std::string& text) {
  while (begin < end) {
    char buffer[64 * 1024];
    const std::size_t most = std::min<std::uint64_t>(sizeof buffer, end - begin);
    const ssize_t got = ::pread(file, buffer, most, static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    text.append(buffer, static_cast<std::size_t>(got));
    begin += static_cast<std::uint64_t>(got);
  }
}

}  // namespace

Result<Capture> Capture::create(const std::string& directory) {
  Capture capture;
  for (UniqueFd& file : capture.files_) {
    auto made = nameless_file(directory);
    if (!made) return fail(made.error());
    file = std::move(*made);
  }
  return capture;
}

void Capture::clear() {
  start_ = {};
  for (const UniqueFd& file : files_) {
    // An error leaves old output before the new; offsets are taken from the file anyway.
    if (::ftruncate(file.get(), 0) != 0) start_ = sizes();
  }
}

void Capture::end_start() { start_ = sizes(); }

void Capture::trim() {
  const Sizes now = sizes();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (now[i] - start_[i] < kTrimAbove) continue;
    [[maybe_unused]] const int ignored =
        ::ftruncate(files_[i].get(), static_cast<off_t>(start_[i]));
  }
}

Capture::Sizes Capture::sizes() const {
  Sizes sizes = {};
  for (std::size_t i = 0; i < files_.size(); ++i) {
    struct stat status;
    if (::fstat(files_[i].get(), &status) == 0) {
      sizes[i] = static_cast<std::uint64_t>(status.st_size);
    }
  }
  return sizes;
}

std::string Capture::read(Stream stream, std::uint64_t begin, std::uint64_t end) const {
  std::string text;
  const int file = files_[stream].get();
  append_range(file, 0, std::min(start_[stream], begin), text);
  append_range(file, begin, end, text);
  return text;
}

}  // namespace unravel
