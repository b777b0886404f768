/// What the program writes to its standard output and error.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// As much of a stream as is kept: its head and its tail, with a line between them that says how
/// much is left out.
struct KeptOutput {
  std::string text;
  std::uint64_t left_out = 0;  // bytes

  friend bool operator==(const KeptOutput&, const KeptOutput&) = default;
};

/// One nameless file per stream, to which the program and all its runs append.
///
/// A program may write without end, and the file lies on the user's disk. So while it writes, what
/// nobody will read is given back: earlier runs, and the middle of what is too long to be kept.
class Capture {
 public:
  enum Stream : std::size_t { kOutput, kErrorOutput };
  static constexpr std::size_t kStreams = 2;
  using Sizes = std::array<std::uint64_t, kStreams>;

  /// `most` bytes of each stream of a run are kept. `sheds` is false if somebody has to see all.
  static Result<Capture> create(const std::string& directory, std::uint64_t most, bool sheds);

  int descriptor(Stream stream) const { return files_[stream].get(); }

  /// For a new process: nothing was written so far.
  void clear();

  /// What was written until now belongs to the program's start, and so to every run.
  void end_start();

  /// Forgets finished runs when they have grown large. Nobody may be writing.
  void trim();

  /// Gives back what is not read any more, while others may be writing: between the start and
  /// `whole` everything, and from `begin` on, where the last run began, the middle.
  void shed(const Sizes& whole, const Sizes& begin);

  Sizes sizes() const;

  /// Bytes that the files take up on the disk now.
  std::uint64_t disk_use() const;
  /// Whether others will soon find no room there.
  bool is_disk_full() const;

  /// The start's output followed by bytes begin .. end of the file: head and tail.
  KeptOutput read(Stream stream, std::uint64_t begin, std::uint64_t end) const;

  /// The first `most` bytes of the same. Nothing may have been shed.
  std::string read_front(Stream stream, std::uint64_t begin, std::uint64_t end,
                         std::uint64_t most) const;

  /// All of it as a file, to be read from its beginning. Nothing may have been shed.
  Result<UniqueFd> copy(Stream stream, std::uint64_t begin, std::uint64_t end) const;

 private:
  void give_back(Stream stream, std::uint64_t from, std::uint64_t to, Sizes& done);

  std::array<UniqueFd, kStreams> files_;
  std::string directory_;
  std::uint64_t half_ = 0;  // of what is kept
  bool sheds_ = false;
  Sizes start_ = {};
  Sizes shed_runs_ = {}, shed_middle_ = {};  // up to where
};

}  // namespace unravel
