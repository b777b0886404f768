/// Captures the program's standard output and error.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// The stored part of a stream: head and tail, with a line between them that says how much is left
/// out.
struct KeptOutput {
  std::string text;
  std::uint64_t left_out = 0;  // bytes

  friend bool operator==(const KeptOutput&, const KeptOutput&) = default;
};

/// One unnamed file per stream. The program and all its runs append to it.
///
/// A program may write without end, and the file is on the user's disk. So parts that are not
/// needed are freed while it writes: earlier runs, and the middle of output that is too long to
/// store.
class Capture {
 public:
  enum Stream : std::size_t { kOutput, kErrorOutput };
  static constexpr std::size_t kStreams = 2;
  using Sizes = std::array<std::uint64_t, kStreams>;

  /// Stores at most `most` bytes of each stream of a run. `sheds` is false if the whole output is
  /// needed.
  static Result<Capture> create(const std::string& directory, std::uint64_t most, bool sheds);

  int descriptor(Stream stream) const { return files_[stream].get(); }

  /// For a new process: nothing has been written yet.
  void clear();

  /// Everything written so far belongs to the program's start, and so to every run.
  void end_start();

  /// Drops finished runs when they have grown large. No process may be writing.
  void trim();

  /// Frees what is no longer needed, while processes may be writing: everything between the start
  /// and `whole`, and the middle of the last run, which began at `begin`.
  void shed(const Sizes& whole, const Sizes& begin);

  Sizes sizes() const;

  /// Disk space that the files take now.
  std::uint64_t disk_use() const;
  /// Whether the disk is nearly full.
  bool is_disk_full() const;

  /// The start's output followed by bytes begin .. end of the file, as head and tail.
  KeptOutput read(Stream stream, std::uint64_t begin, std::uint64_t end) const;

  /// The first `most` bytes of the same. Requires that nothing was shed.
  std::string read_front(Stream stream, std::uint64_t begin, std::uint64_t end,
                         std::uint64_t most) const;

  /// All of it as a file, positioned at its beginning. Requires that nothing was shed.
  Result<UniqueFd> copy(Stream stream, std::uint64_t begin, std::uint64_t end) const;

 private:
  void give_back(Stream stream, std::uint64_t from, std::uint64_t to, Sizes& done);

  std::array<UniqueFd, kStreams> files_;
  std::string directory_;
  std::uint64_t half_ = 0;  // half of the bytes to store
  bool sheds_ = false;
  Sizes start_ = {};
  Sizes shed_runs_ = {}, shed_middle_ = {};  // positions up to which they are freed
};

}  // namespace unravel
