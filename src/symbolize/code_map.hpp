#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// A file that a process runs code from, as it is mapped.
struct MappedModule {
  /// A range of memory that has the file's bytes as on disk.
  struct Part {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0;
  };

  std::string path;  // or a name in brackets, such as [vdso]
  std::uint64_t inode = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // where the file's first byte is mapped, or would be
  std::vector<Part> parts;
};

/// Where a process may run code.
struct CodeMap {
  static constexpr std::size_t kNoModule = static_cast<std::size_t>(-1);

  struct Stretch {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::size_t module = kNoModule;  // kNoModule: no file, such as code made at run time
  };

  std::vector<Stretch> code;  // sorted by address
  std::vector<MappedModule> modules;

  /// The range that contains `address`, or nullptr.
  const Stretch* find(std::uint64_t address) const;

  /// The module whose memory is nearest below `address`, or nullptr. A file's zeroed memory follows
  /// its own and has no file.
  const MappedModule* below(std::uint64_t address) const;
};

/// Parses /proc/PID/maps. Skips lines that it does not understand.
CodeMap read_code_map(std::string_view maps);

/// Whether two inode numbers mean the same file. An overlay uses the highest bits for the layer of
/// a file; outside the overlay these bits are not set.
constexpr bool is_same_inode(std::uint64_t one, std::uint64_t other) {
  constexpr int kBitsForLayers = 8;
  return ((one ^ other) << kBitsForLayers) == 0;
}

/// The path of a file as seen from this process. For a process in another mount namespace, the
/// kernel gives paths from the root of that namespace; in a chroot our root directory is further
/// down. Returns `path` itself if no shorter path has this inode.
std::string path_from_here(const std::string& path, std::uint64_t inode);

/// The lines of `maps` for executable memory, unchanged. If they are equal for two processes, both
/// run the same files at the same addresses.
std::string code_lines(std::string_view maps);

}  // namespace unravel
