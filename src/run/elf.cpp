#include "run/elf.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace unravel {
namespace {

template <class T>
std::optional<T> read_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<Elf64_Phdr> segment(std::span<const std::byte> bytes, const Elf64_Ehdr& header,
                                  Elf64_Word type) {
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    if (header.e_phoff > bytes.size()) break;
    const auto found = read_at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (found && found->p_type == type) return found;
  }
  return std::nullopt;
}

// A static position-independent program has no loader either, and looks like a library but for
// this flag.
bool says_it_is_a_program(std::span<const std::byte> bytes, const Elf64_Ehdr& header) {
  const auto dynamic = segment(bytes, header, PT_DYNAMIC);
  if (!dynamic || dynamic->p_offset > bytes.size()) return false;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic->p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = read_at<Elf64_Dyn>(bytes, dynamic->p_offset + at);
    if (!entry || entry->d_tag == DT_NULL) return false;
    if (entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_PIE)) return true;
  }
  return false;
}

FileKind::Is elf_kind(std::span<const std::byte> bytes) {
  using Is = FileKind::Is;
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  const auto identity = [&](std::size_t i) { return std::to_integer<unsigned char>(bytes[i]); };
  if (bytes.size() <= EI_DATA) return Is::kUnknown;
  if (identity(EI_CLASS) != ELFCLASS64 || identity(EI_DATA) != ELFDATA2LSB) {
    return Is::kOtherMachine;
  }
  if (!header) return Is::kUnknown;
  if (header->e_machine != EM_X86_64) return Is::kOtherMachine;
  if (header->e_type != ET_EXEC && header->e_type != ET_DYN) return Is::kLibrary;
  if (segment(bytes, *header, PT_INTERP)) return Is::kDynamic;
  if (header->e_type == ET_EXEC || says_it_is_a_program(bytes, *header)) return Is::kStatic;
  return Is::kLibrary;
}

std::string script_interpreter(std::string_view text) {
  const std::string_view line = text.substr(2, text.find('\n', 2) - 2);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.find_first_of(" \t\r", begin);
  return std::string(line.substr(begin, end == std::string_view::npos ? end : end - begin));
}

}  // namespace

FileKind file_kind(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.substr(0, SELFMAG) == ELFMAG) return {.is = elf_kind(bytes), .interpreter = {}};
  if (text.substr(0, 2) == "#!") {
    return {.is = FileKind::Is::kScript, .interpreter = script_interpreter(text)};
  }
  return {};
}

}  // namespace unravel
