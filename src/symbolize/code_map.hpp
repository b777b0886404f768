#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// A file that a process runs code from, as it is mapped.
struct MappedModule {
  /// A stretch of memory that shows the file's bytes as they are on disk.
  struct Part {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint64_t file_offset = 0;
  };

  std::string path;  // or a name in brackets, such as [vdso]
  std::uint64_t inode = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t base = 0;  // where the file's first byte is, or would be, mapped
  std::vector<Part> parts;
};

/// Where a process may run code.
struct CodeMap {
  static constexpr std::size_t kNoModule = static_cast<std::size_t>(-1);

  struct Stretch {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::size_t module = kNoModule;  // kNoModule: memory of no file, such as compiled at run time
  };

  std::vector<Stretch> code;  // sorted by address
  std::vector<MappedModule> modules;

  /// The stretch that holds `address`, or nullptr.
  const Stretch* find(std::uint64_t address) const;

  /// The module whose memory is nearest below `address`, or nullptr. What a file wants zeroed is
  /// memory of no file, behind its own.
  const MappedModule* below(std::uint64_t address) const;
};

/// Reads the text of a /proc/PID/maps. Lines that are not understood are left out.
CodeMap read_code_map(std::string_view maps);

/// Whether two numbers mean one file. An overlay keeps in the highest bits from which of its layers
/// a file comes; outside of it they are not set.
constexpr bool is_same_inode(std::uint64_t one, std::uint64_t other) {
  constexpr int kBitsForLayers = 8;
  return ((one ^ other) << kBitsForLayers) == 0;
}

/// A file by the path that means it here. Of a process in another mount namespace the kernel tells
/// paths from the root of that namespace, while ours begin at our root directory: in a chroot that
/// is further down. `path` itself if no shorter one leads to a file with this inode.
std::string path_from_here(const std::string& path, std::uint64_t inode);

/// The lines of `maps` for executable memory, as they are: two processes for which they are equal
/// run the same files at the same addresses.
std::string code_lines(std::string_view maps);

}  // namespace unravel
