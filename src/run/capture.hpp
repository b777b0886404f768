/// What the program writes to its standard output and error.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

/// One nameless file per stream, to which the program and all its runs append.
class Capture {
 public:
  enum Stream : std::size_t { kOutput, kErrorOutput };
  using Sizes = std::array<std::uint64_t, 2>;

  static Result<Capture> create(const std::string& directory);

  int descriptor(Stream stream) const { return files_[stream].get(); }

  /// For a new process: nothing was written so far.
  void clear();

  /// What was written until now belongs to the program's start, and so to every run.
  void end_start();

  /// Forgets finished runs when they have grown large. Nobody may be writing.
  void trim();

  Sizes sizes() const;

  /// The start's output followed by bytes begin .. end of the file.
  std::string read(Stream stream, std::uint64_t begin, std::uint64_t end) const;

 private:
  std::array<UniqueFd, 2> files_;
  Sizes start_ = {};
};

}  // namespace unravel
