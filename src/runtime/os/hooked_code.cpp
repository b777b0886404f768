#include "runtime/os/hooked_code.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstring>

namespace unravel::os {

namespace {

// This look-up takes no lock that a parked thread might hold.
bool find_module(const void* address, dl_find_object* found) {
  return _dl_find_object(const_cast<void*>(address), found) == 0;
}

CodeRanges::Range range_of(const dl_find_object& module) {
  return {reinterpret_cast<std::uint64_t>(module.dlfo_map_start),
          reinterpret_cast<std::uint64_t>(module.dlfo_map_end)};
}

const link_map* first_module() {
  dl_find_object own;
  if (!find_module(&hooked_code, &own)) return nullptr;
  const link_map* map = own.dlfo_link_map;
  while (map->l_prev) map = map->l_prev;
  return map;
}

bool begins_with(const char* text, const char* beginning) {
  return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
}

bool is_cxx_library(const link_map& map) {
  const char* slash = std::strrchr(map.l_name, '/');
  const char* name = slash ? slash + 1 : map.l_name;
  return begins_with(name, "libstdc++.so") || begins_with(name, "libc++.so") ||
         begins_with(name, "libc++abi.so");
}

/// The functions that compilers call at accesses. __tsan_init is none of them: GCC links it into
/// every program.
bool is_hook(const char* symbol) {
  constexpr const char* kPrefix = "__tsan_";
  if (!begins_with(symbol, kPrefix)) return false;
  const char* name = symbol + std::strlen(kPrefix);
  return begins_with(name, "func_entry") || begins_with(name, "read") ||
         begins_with(name, "write") || begins_with(name, "unaligned") ||
         begins_with(name, "atomic");
}

/// Goes through everything that the loader binds for a module: the functions that it calls are
/// there.
class Bindings {
 public:
  explicit Bindings(const link_map& map) {
    for (const Elf64_Dyn* entry = map.l_ld; entry->d_tag != DT_NULL; ++entry) {
      // The loader has replaced them by addresses, except in the kernel's own module.
      const std::uint64_t value = entry->d_un.d_val;
      const std::uint64_t address = value < map.l_addr ? map.l_addr + value : value;
      switch (entry->d_tag) {
        case DT_SYMTAB: symbols_ = reinterpret_cast<const Elf64_Sym*>(address); break;
        case DT_STRTAB: names_ = reinterpret_cast<const char*>(address); break;
        case DT_RELA: data_.entries = reinterpret_cast<const Elf64_Rela*>(address); break;
        case DT_RELASZ: data_.count = value / sizeof(Elf64_Rela); break;
        case DT_JMPREL: calls_.entries = reinterpret_cast<const Elf64_Rela*>(address); break;
        case DT_PLTRELSZ: calls_.count = value / sizeof(Elf64_Rela); break;
        default: break;
      }
    }
  }

  [[nodiscard]] bool have_hook() const {
    return symbols_ && names_ && (have_hook(calls_) || have_hook(data_));
  }

 private:
  struct Table {
    const Elf64_Rela* entries = nullptr;
    std::uint64_t count = 0;
  };

  [[nodiscard]] bool have_hook(const Table& table) const {
    if (!table.entries) return false;
    for (std::uint64_t i = 0; i < table.count; ++i) {
      const std::uint64_t index = ELF64_R_SYM(table.entries[i].r_info);
      if (index && is_hook(names_ + symbols_[index].st_name)) return true;
    }
    return false;
  }

  const Elf64_Sym* symbols_ = nullptr;
  const char* names_ = nullptr;
  Table data_;
  Table calls_;
};

}  // namespace

void HookedCode::scan_loaded() {
  const link_map* const first = first_module();
  const link_map* last = first;
  std::size_t count = 0;
  for (const link_map* map = first; map; map = map->l_next, ++count) last = map;
  if (last == last_ && count == count_) return;
  last_ = last;
  count_ = count;

  const auto add = [this](const link_map& map) {
    dl_find_object found;
    if (find_module(map.l_ld, &found)) ranges_.add(range_of(found));
  };
  for (const link_map* map = first; map; map = map->l_next) {
    if (Bindings(*map).have_hook()) add(*map);
  }
  if (!any()) return;
  for (const link_map* map = first; map; map = map->l_next) {
    if (is_cxx_library(*map)) add(*map);
  }
}

void HookedCode::forget_unloaded() {
  last_ = nullptr;
  ranges_.remove_if([](const CodeRanges::Range& range) {
    dl_find_object found;
    if (!find_module(reinterpret_cast<const void*>(range.begin), &found)) return true;
    const CodeRanges::Range now = range_of(found);
    return now.begin != range.begin || now.end != range.end;
  });
}

}  // namespace unravel::os
