#include "symbolize/build_id.hpp"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>

#include "base/stand_ins.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

std::optional<std::string> build_id_of(const std::string& path) {
  // A pipe that now has the path of a module must not block.
  const UniqueFd file(::open(file_for(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file || elf_version(EV_CURRENT) == EV_NONE) return std::nullopt;
  Elf* elf = elf_begin(file.get(), ELF_C_READ_MMAP, nullptr);
  if (!elf) return std::nullopt;
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);
  std::string text;
  for (ssize_t i = 0; i < size; ++i) {
    const auto byte = static_cast<const unsigned char*>(bytes)[i];
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  elf_end(elf);
  return size > 0 ? std::optional(text) : std::nullopt;
}

}  // namespace unravel
