#include "runtime/os/modules.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>

#include <cstring>

#include "runtime/os/system_call.hpp"

namespace unravel::os {

namespace {

constexpr std::uint64_t kPage = 4096;

const Elf64_Phdr* program_headers(std::uint64_t base, std::size_t* count) {
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(base);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return nullptr;
  *count = header->e_phnum;
  return reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
}

// `base` is where the file's first byte is mapped, so a segment lies at base + its address - the
// lowest address of all segments.
void read_build_id(std::uint64_t base, wire::Module* module) {
  std::size_t count = 0;
  const Elf64_Phdr* segments = program_headers(base, &count);
  if (!segments) return;
  std::uint64_t lowest = ~std::uint64_t{0};
  for (std::size_t i = 0; i < count; ++i) {
    if (segments[i].p_type == PT_LOAD && segments[i].p_vaddr < lowest) lowest = segments[i].p_vaddr;
  }
  lowest &= ~(kPage - 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (segments[i].p_type != PT_NOTE) continue;
    std::uint64_t at = base + segments[i].p_vaddr - lowest;
    const std::uint64_t end = at + segments[i].p_memsz;
    while (at + sizeof(Elf64_Nhdr) <= end) {
      const auto* note = reinterpret_cast<const Elf64_Nhdr*>(at);
      const char* name = reinterpret_cast<const char*>(note + 1);
      const char* content = name + ((note->n_namesz + 3u) & ~3u);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
          std::memcmp(name, "GNU", 4) == 0) {
        module->build_id_size =
            note->n_descsz < sizeof(module->build_id) ? note->n_descsz : sizeof(module->build_id);
        std::memcpy(module->build_id, content, module->build_id_size);
        return;
      }
      at = reinterpret_cast<std::uint64_t>(content) + ((note->n_descsz + 3u) & ~3u);
    }
  }
}

}  // namespace

bool Modules::has(std::uint64_t base) const {
  for (std::uint32_t i = 1; i < control_.modules; ++i) {
    if (table_[i].base == base) return true;
  }
  return false;
}

std::uint32_t Modules::add(std::uint64_t base, std::uint64_t end, const char* path) {
  if (control_.modules == wire::kMostModules) return wire::kNoModule;
  const std::uint32_t index = control_.modules++;
  wire::Module& module = table_[index];
  module = wire::Module{};
  module.base = base;
  module.end = end;
  if (path && path[0] == '/') {
    std::strncpy(module.path, path, sizeof(module.path) - 1);
  } else if (index == 1) {
    // The loader has no name for the program itself.
    call(SYS_readlink, as_argument("/proc/self/exe"), as_argument(module.path),
         sizeof(module.path) - 1);
  }
  read_build_id(base, &module);
  return index;
}

void Modules::record_loaded() {
  control_.modules = 1;
  last_ = 0;
  record_new();
}

void Modules::record_new() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* self) {
        std::uint64_t base = ~std::uint64_t{0};
        std::uint64_t end = 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const Elf64_Phdr& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD) continue;
          const std::uint64_t begin = (info->dlpi_addr + segment.p_vaddr) & ~(kPage - 1);
          if (begin < base) base = begin;
          const std::uint64_t last = info->dlpi_addr + segment.p_vaddr + segment.p_memsz;
          if (last > end) end = last;
        }
        auto& modules = *static_cast<Modules*>(self);
        if (end && !modules.has(base)) modules.add(base, end, info->dlpi_name);
        return 0;
      },
      this);
}

wire::Site Modules::site_of(const void* address) {
  const auto pc = reinterpret_cast<std::uint64_t>(address);
  if (!pc) return {};
  if (pc >= table_[last_].base && pc < table_[last_].end) {
    return wire::Site::of(last_, pc - table_[last_].base);
  }
  for (std::uint32_t i = 1; i < control_.modules; ++i) {
    if (pc < table_[i].base || pc >= table_[i].end) continue;
    last_ = i;
    return wire::Site::of(i, pc - table_[i].base);
  }
  // The module was loaded since. This look-up takes no lock that a parked thread might hold.
  dl_find_object found;
  if (_dl_find_object(const_cast<void*>(address), &found) != 0) return {};
  const auto base = reinterpret_cast<std::uint64_t>(found.dlfo_map_start);
  const std::uint32_t index =
      add(base, reinterpret_cast<std::uint64_t>(found.dlfo_map_end), found.dlfo_link_map->l_name);
  return index == wire::kNoModule ? wire::Site{} : wire::Site::of(index, pc - base);
}

const void* Modules::address_of(wire::Site site) const {
  const std::uint32_t module = site.module();
  if (site == wire::Site{} || module == 0 || module >= control_.modules) return nullptr;
  return reinterpret_cast<const void*>(table_[module].base + site.offset());
}

}  // namespace unravel::os
