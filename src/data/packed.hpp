/// A packed run: one file with all that is needed to repeat a run somewhere else.
///
/// It comes from somebody else, so it is data and nothing more: reading one starts nothing, and no
/// path in it is ever written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "data/run.hpp"
#include "data/settings.hpp"

namespace unravel {

/// The program, or a library that it had loaded.
struct PackedFile {
  std::string path;  // where it was; absolute, and without `.` and `..`
  std::string content;

  friend bool operator==(const PackedFile&, const PackedFile&) = default;
};

struct PackedRun {
  Run run;  // has no id; its environment has blanks for the variables that were left out
  RunSettings settings;
  std::int64_t created = 0;                    // seconds since 1970
  std::string input;                           // what the program could read from standard input
  std::optional<std::string> expected_output;  // the content of the file that the settings name
  std::vector<PackedFile> files;               // empty: the program was left out
};

/// How the names of packed runs usually end.
inline constexpr std::string_view kPackedEnding = ".unravel";

/// The most bytes that a packed run can have, and that it can become when it is unpacked.
inline constexpr std::size_t kMostBytesOfPack = std::size_t{1} << 30;

/// Magic, versions, size, fields, checksum; the large fields are compressed.
std::vector<std::byte> encode(const PackedRun& packed);

/// Refuses bytes that are corrupt or truncated, of another kind or version, or too large when
/// unpacked; relative paths, and paths with `..`; and what no run can have.
Result<PackedRun> decode_packed_run(std::span<const std::byte> bytes);

/// Whether these first bytes of a file are those of a packed run.
bool is_packed_run(std::span<const std::byte> bytes);

}  // namespace unravel
