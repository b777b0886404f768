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

// A static position-independent program has no loader either. Only this flag distinguishes it from
// a library.
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

std::vector<Elf64_Shdr> sections(std::span<const std::byte> bytes, Elf64_Word type) {
  std::vector<Elf64_Shdr> found;
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || header->e_shoff > bytes.size()) return found;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (section && section->sh_type == type) found.push_back(*section);
  }
  return found;
}

/// The text at `offset` of the string table of `section`; empty if there is none.
std::string_view string_of(std::span<const std::byte> bytes, const Elf64_Shdr& section,
                           std::uint64_t offset) {
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!header || header->e_shoff > bytes.size()) return {};
  const auto table = read_at<Elf64_Shdr>(
      bytes, header->e_shoff + std::uint64_t{section.sh_link} * sizeof(Elf64_Shdr));
  if (!table || table->sh_offset > bytes.size() || offset >= table->sh_size) return {};
  const std::uint64_t size =
      std::min<std::uint64_t>(table->sh_size, bytes.size() - table->sh_offset);
  if (offset >= size) return {};
  const char* text = reinterpret_cast<const char*>(bytes.data() + table->sh_offset + offset);
  return {text, ::strnlen(text, size - offset)};
}

/// Calls `each` with the entries of all sections of this type, and their section.
template <class Entry, class Each>
void for_each(std::span<const std::byte> bytes, Elf64_Word type, Each each) {
  for (const Elf64_Shdr& section : sections(bytes, type)) {
    if (section.sh_offset > bytes.size()) continue;
    for (std::uint64_t at = 0; at + sizeof(Entry) <= section.sh_size; at += sizeof(Entry)) {
      const auto entry = read_at<Entry>(bytes, section.sh_offset + at);
      if (!entry) break;
      each(*entry, section);
    }
  }
}

void split_at_colons(std::string_view text, std::vector<std::string>& parts) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

struct KnownSanitizer {
  std::string_view entry;  // a function that every program built with it calls or contains
  Sanitizer sanitizer;
};
constexpr KnownSanitizer kSanitizers[] = {
    {"__asan_init", {"AddressSanitizer", "-fsanitize=address"}},
    {"__hwasan_init", {"HWAddressSanitizer", "-fsanitize=hwaddress"}},
    {"__tsan_init", {kThreadSanitizer, "-fsanitize=thread"}},
    {"__msan_init", {"MemorySanitizer", "-fsanitize=memory"}},
};

}  // namespace

FileKind file_kind(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.substr(0, SELFMAG) == ELFMAG) return {.is = elf_kind(bytes), .interpreter = {}};
  if (text.substr(0, 2) == "#!") {
    return {.is = FileKind::Is::kScript, .interpreter = script_interpreter(text)};
  }
  return {};
}

ElfLinks links_of(std::span<const std::byte> bytes) {
  ElfLinks links;
  if (!file_kind(bytes).is_elf()) return links;
  for_each<Elf64_Dyn>(bytes, SHT_DYNAMIC, [&](const Elf64_Dyn& entry, const Elf64_Shdr& section) {
    const std::string_view text = string_of(bytes, section, entry.d_un.d_val);
    if (entry.d_tag == DT_NEEDED) links.needed.emplace_back(text);
    if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) split_at_colons(text, links.search);
  });
  for_each<Elf64_Sym>(bytes, SHT_DYNSYM, [&](const Elf64_Sym& symbol, const Elf64_Shdr& section) {
    const std::string_view text = string_of(bytes, section, symbol.st_name);
    if (symbol.st_shndx == SHN_UNDEF && !text.empty()) links.imports.emplace_back(text);
  });
  return links;
}

bool is_go(std::span<const std::byte> bytes) {
  // Each of Go's linkers writes one of these sections, even in stripped programs.
  constexpr std::string_view kLeftByGo[] = {".go.buildinfo", ".note.go.buildid", ".gopclntab"};
  const auto header = read_at<Elf64_Ehdr>(bytes, 0);
  if (!file_kind(bytes).is_elf() || !header || header->e_shoff > bytes.size()) return false;
  Elf64_Shdr names{};
  names.sh_link = header->e_shstrndx;
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = read_at<Elf64_Shdr>(bytes, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) break;
    const std::string_view name = string_of(bytes, names, section->sh_name);
    if (std::find(std::begin(kLeftByGo), std::end(kLeftByGo), name) != std::end(kLeftByGo)) {
      return true;
    }
  }
  return false;
}

std::optional<Sanitizer> sanitizer_of(std::span<const std::byte> bytes) {
  std::optional<Sanitizer> found;
  if (!file_kind(bytes).is_elf()) return found;
  // A statically linked runtime may export nothing, so the debug symbol table is searched, too.
  for (const Elf64_Word table : {SHT_DYNSYM, SHT_SYMTAB}) {
    for_each<Elf64_Sym>(bytes, table, [&](const Elf64_Sym& symbol, const Elf64_Shdr& section) {
      if (found) return;
      const std::string_view name = string_of(bytes, section, symbol.st_name);
      for (const KnownSanitizer& known : kSanitizers) {
        if (name != known.entry) continue;
        found = known.sanitizer;
        found->inside = symbol.st_shndx != SHN_UNDEF;
      }
    });
  }
  return found;
}

}  // namespace unravel
