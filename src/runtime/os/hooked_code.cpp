#include "runtime/os/hooked_code.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

namespace unravel::os {

namespace {

// The look-up takes no lock, which a parked thread might hold.
bool find_module(const void* address, dl_find_object* found) {
  return _dl_find_object(const_cast<void*>(address), found) == 0;
}

CodeRanges::Range range_of(const dl_find_object& module) {
  return {reinterpret_cast<std::uint64_t>(module.dlfo_map_start),
          reinterpret_cast<std::uint64_t>(module.dlfo_map_end)};
}

bool is_cxx_library(const char* path) {
  const char* slash = std::strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  static constexpr const char* kLibraries[] = {"libstdc++.so", "libc++.so", "libc++abi.so"};
  for (const char* library : kLibraries) {
    if (std::strncmp(name, library, std::strlen(library)) == 0) return true;
  }
  return false;
}

}  // namespace

void HookedCode::add_module_of(const void* address) {
  dl_find_object found;
  // Every file of a module says so by itself.
  if (covers(address) || !find_module(address, &found)) return;
  ranges_.add(range_of(found));

  const link_map* map = found.dlfo_link_map;
  while (map->l_prev) map = map->l_prev;
  for (; map; map = map->l_next) {
    if (is_cxx_library(map->l_name) && find_module(map->l_ld, &found)) ranges_.add(range_of(found));
  }
}

void HookedCode::forget_unloaded() {
  ranges_.remove_if([](const CodeRanges::Range& range) {
    dl_find_object found;
    if (!find_module(reinterpret_cast<const void*>(range.begin), &found)) return true;
    const CodeRanges::Range now = range_of(found);
    return now.begin != range.begin || now.end != range.end;
  });
}

}  // namespace unravel::os
