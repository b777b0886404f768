/// Loaded files and the sites in them: code addresses that mean the same in every run.
#pragma once

#include <cstdint>

#include "wire/control.hpp"

namespace unravel::os {

class Modules {
 public:
  Modules(wire::Control& control, wire::Module* table) : control_(control), table_(table) {}

  /// Records everything that is loaded now, in the loader's order.
  void record_loaded();
  /// Records what was loaded since.
  void record_new();
  /// Forgets what a run loaded by itself, so that each run numbers its modules in the same way.
  void forget_later_than(std::uint32_t count) { control_.modules = count; }
  [[nodiscard]] std::uint32_t count() const { return control_.modules; }

  wire::Site site_of(const void* address);
  /// Null: the site is none, or its file is not loaded.
  [[nodiscard]] const void* address_of(wire::Site site) const;

 private:
  [[nodiscard]] bool has(std::uint64_t base) const;
  std::uint32_t add(std::uint64_t base, std::uint64_t end, const char* path);

  wire::Control& control_;
  wire::Module* table_;
  std::uint32_t last_ = 0;  // the entry of the last look-up: the next site is mostly there, too
};

}  // namespace unravel::os
