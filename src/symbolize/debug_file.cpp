#include "symbolize/debug_file.hpp"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

namespace unravel {
namespace {

using BuildId = std::basic_string_view<unsigned char>;

BuildId build_id_of(Dwfl_Module* module) {
  const unsigned char* bytes = nullptr;
  GElf_Addr address = 0;
  const int size = dwfl_module_build_id(module, &bytes, &address);
  return size > 0 ? BuildId(bytes, static_cast<std::size_t>(size)) : BuildId();
}

bool has_build_id(int fd, BuildId wanted) {
  Elf* elf = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  const bool same = size > 0 && static_cast<std::size_t>(size) == wanted.size() &&
                    std::memcmp(bytes, wanted.data(), wanted.size()) == 0;
  elf_end(elf);
  return same;
}

int open_by_link(const std::filesystem::path& file, const char* link, BuildId build_id,
                 char** found) {
  const std::filesystem::path folder = file.parent_path();
  const std::vector<std::filesystem::path> candidates = {
      folder / link, folder / ".debug" / link,
      std::filesystem::path("/usr/lib/debug") / folder.relative_path() / link};
  for (const std::filesystem::path& candidate : candidates) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(candidate, ignored)) continue;
    const int fd = ::open(candidate.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) continue;
    if (has_build_id(fd, build_id)) {
      *found = ::strdup(candidate.c_str());
      return fd;
    }
    ::close(fd);
  }
  return -1;
}

}  // namespace

int find_debug_file(Dwfl_Module* module, void** user, const char* name, Dwarf_Addr base,
                    const char* file, const char* debug_link, GElf_Word debug_link_crc,
                    char** found) {
  const int fd = dwfl_build_id_find_debuginfo(module, user, name, base, file, debug_link,
                                              debug_link_crc, found);
  if (fd >= 0) return fd;

  // If the module already has debug information, libdw wants the supplement that several modules
  // share. It finds that by itself if we return none.
  Dwarf_Addr debug_bias = 0;
  dwfl_module_info(module, nullptr, nullptr, nullptr, &debug_bias, nullptr, nullptr, nullptr);
  if (debug_bias != static_cast<Dwarf_Addr>(-1)) return -1;

  // Servers are asked by build id. Without a build id, libdwfl's own search stays on this machine.
  const BuildId build_id = build_id_of(module);
  if (build_id.empty()) {
    return dwfl_standard_find_debuginfo(module, user, name, base, file, debug_link, debug_link_crc,
                                        found);
  }
  if (!file || !debug_link) return -1;
  return open_by_link(file, debug_link, build_id, found);
}

}  // namespace unravel
