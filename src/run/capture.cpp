#include "run/capture.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "base/files.hpp"

namespace unravel {
namespace {

// Enough for the output of many ordinary runs; dropped output is never read again. Freeing less is
// not worth a system call. Chosen by hand.
constexpr std::uint64_t kTrimAbove = std::uint64_t{1} << 20;

// Copies up to this size are made in memory, which is faster.
constexpr std::uint64_t kMostInMemory = std::uint64_t{16} << 20;

// The free space that the store and others on the same disk need: a few runs with their output or,
// on a small disk, a sixteenth of it.
constexpr std::uint64_t kLeastFree = std::uint64_t{8} << 20;
constexpr std::uint64_t kLeastShare = 16;

Result<UniqueFd> nameless_file(const std::string& directory) {
  UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600));
  if (file) return file;
  // Not every file system supports unnamed files.
  std::string name = directory + "/output-XXXXXX";
  file.reset(::mkostemp(name.data(), O_APPEND | O_CLOEXEC));
  if (!file) return fail(file_error("write in", directory, errno));
  ::unlink(name.c_str());
  return file;
}

std::uint64_t size_of(int file) {
  struct stat status;
  return ::fstat(file, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

/// A part of a file.
struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  std::uint64_t size() const { return end - begin; }
};

/// Returns false if `take` refused a chunk.
bool for_each_chunk(int file, Range range, const std::function<bool(std::string_view)>& take) {
  while (range.begin < range.end) {
    char buffer[64 * 1024];
    const std::size_t most = std::min<std::uint64_t>(sizeof buffer, range.size());
    const ssize_t got = ::pread(file, buffer, most, static_cast<off_t>(range.begin));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    if (!take({buffer, static_cast<std::size_t>(got)})) return false;
    range.begin += static_cast<std::uint64_t>(got);
  }
  return true;
}

void append(int file, Range range, std::string& text) {
  for_each_chunk(file, range, [&](std::string_view chunk) {
    text += chunk;
    return true;
  });
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// The output of a run is in two parts of the file: that of the program's start, and its own.
struct Parts {
  Range start;
  Range own;

  /// `begin` and `end` are untrusted: the program may have overwritten them.
  Parts(int file, std::uint64_t start_end, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t size = size_of(file);
    own.end = std::min(end, size);
    own.begin = std::min(begin, own.end);
    start.end = std::min(start_end, own.begin);
  }

  std::uint64_t size() const { return start.size() + own.size(); }
  Parts front(std::uint64_t most) const {
    Parts part = *this;
    part.start.end = std::min(start.end, start.begin + most);
    part.own.end = std::min(own.end, own.begin + most - std::min(most, start.size()));
    return part;
  }
  Parts back(std::uint64_t most) const {
    Parts part = *this;
    part.own.begin = own.end - std::min(own.size(), most);
    part.start.begin = start.end - std::min(start.size(), most - std::min(most, own.size()));
    return part;
  }
};

void append(int file, const Parts& parts, std::string& text) {
  append(file, parts.start, text);
  append(file, parts.own, text);
}

std::string gap(std::string_view before, std::uint64_t left_out) {
  const bool in_line = !before.empty() && !before.ends_with('\n');
  return std::string(in_line ? "\n" : "") + "[unravel: " + std::to_string(left_out) +
         " bytes of output are left out here; --max-output SIZE keeps more]\n";
}

}  // namespace

Result<Capture> Capture::create(const std::string& directory, std::uint64_t most, bool sheds) {
  Capture capture;
  capture.directory_ = directory;
  capture.half_ = most / 2;
  capture.sheds_ = sheds;
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
    // If this fails, old output stays before the new. Offsets are taken from the file anyway.
    if (::ftruncate(file.get(), 0) != 0) start_ = sizes();
  }
  shed_runs_ = shed_middle_ = {};
}

void Capture::end_start() { shed_runs_ = shed_middle_ = start_ = sizes(); }

void Capture::trim() {
  const Sizes now = sizes();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (now[i] - start_[i] < kTrimAbove) continue;
    if (::ftruncate(files_[i].get(), static_cast<off_t>(start_[i])) != 0) continue;
    shed_runs_[i] = shed_middle_[i] = start_[i];
  }
}

void Capture::shed(const Sizes& whole, const Sizes& begin) {
  const Sizes now = sizes();
  for (const Stream stream : {kOutput, kErrorOutput}) {
    if (!sheds_) return;
    give_back(stream, start_[stream], std::min(whole[stream], now[stream]), shed_runs_);
    const std::uint64_t tail = now[stream] - std::min(now[stream], half_);
    give_back(stream, begin[stream] + half_, tail, shed_middle_);
  }
}

void Capture::give_back(Stream stream, std::uint64_t from, std::uint64_t to, Sizes& done) {
  from = std::max(from, done[stream]);
  if (from > to || to - from < kTrimAbove) return;
  const int error = ::fallocate(files_[stream].get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(from), static_cast<off_t>(to - from));
  // If the file system cannot make holes, only the limit on a run's output bounds the file.
  if (error != 0 && errno != EINTR) sheds_ = false;
  if (error == 0) done[stream] = to;
}

Capture::Sizes Capture::sizes() const {
  Sizes sizes = {};
  for (std::size_t i = 0; i < files_.size(); ++i) sizes[i] = size_of(files_[i].get());
  return sizes;
}

std::uint64_t Capture::disk_use() const {
  constexpr std::uint64_t kBlock = 512;
  std::uint64_t all = 0;
  for (const UniqueFd& file : files_) {
    struct stat status;
    if (::fstat(file.get(), &status) == 0) {
      all += static_cast<std::uint64_t>(status.st_blocks) * kBlock;
    }
  }
  return all;
}

bool Capture::is_disk_full() const {
  struct statvfs status;
  if (::fstatvfs(files_[kOutput].get(), &status) != 0 || status.f_blocks == 0) return false;
  const std::uint64_t all = std::uint64_t{status.f_blocks} * status.f_frsize;
  return std::uint64_t{status.f_bavail} * status.f_frsize < std::min(kLeastFree, all / kLeastShare);
}

KeptOutput Capture::read(Stream stream, std::uint64_t begin, std::uint64_t end) const {
  const int file = files_[stream].get();
  const Parts parts(file, start_[stream], begin, end);
  KeptOutput kept;
  if (parts.size() <= 2 * half_) {
    kept.text.reserve(parts.size());
    append(file, parts, kept.text);
    return kept;
  }
  kept.left_out = parts.size() - 2 * half_;
  constexpr std::size_t kRoomForGap = 128;
  kept.text.reserve(2 * half_ + kRoomForGap);
  append(file, parts.front(half_), kept.text);
  kept.text += gap(kept.text, kept.left_out);
  append(file, parts.back(half_), kept.text);
  return kept;
}

std::string Capture::read_front(Stream stream, std::uint64_t begin, std::uint64_t end,
                                std::uint64_t most) const {
  std::string text;
  const int file = files_[stream].get();
  append(file, Parts(file, start_[stream], begin, end).front(most), text);
  return text;
}

Result<UniqueFd> Capture::copy(Stream stream, std::uint64_t begin, std::uint64_t end) const {
  const Parts parts(files_[stream].get(), start_[stream], begin, end);
  UniqueFd file;
  if (parts.size() <= kMostInMemory) file.reset(::memfd_create("output", MFD_CLOEXEC));
  if (!file) {
    auto made = nameless_file(directory_);
    if (!made) return made;
    file = std::move(*made);
  }
  for (const Range range : {parts.start, parts.own}) {
    const bool written = for_each_chunk(files_[stream].get(), range, [&](std::string_view chunk) {
      return write_all(file.get(), chunk);
    });
    if (!written) return fail(file_error("write in", directory_, errno));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

}  // namespace unravel
