/// The sites that are points of the set `auto`, and those that this run has executed: a byte for
/// each byte of code.
///
/// Code of a file that was loaded after the table was made has no bytes here. There every access is
/// a point until its marks are learnt.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/operation.hpp"

namespace unravel {

class Marks {
 public:
  static constexpr std::uint32_t kMostMaps = 64;

  /// Adds the code of one file; `bytes` are all zero.
  void add(std::uintptr_t begin, std::size_t size, std::uint8_t* bytes) {
    if (count_ < kMostMaps) maps_[count_++] = {begin, size, bytes};
  }
  void mark(std::uintptr_t site) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (site - maps_[i].begin < maps_[i].size) maps_[i].bytes[site - maps_[i].begin] = kMarked;
    }
  }
  void clear() {
    count_ = 0;
    maps_[0] = {};
  }

  /// Whether a plain access there is certainly no point, and not the first one at this site. Only
  /// for the program's own code, where most accesses are.
  [[nodiscard]] bool skips(const void* site) const {
    const auto place = reinterpret_cast<std::uintptr_t>(site) - maps_[0].begin;
    return place < maps_[0].size && maps_[0].bytes[place] == kSeen;
  }
  /// Whether this run makes the first access there.
  bool is_first(const void* site) {
    const auto place = reinterpret_cast<std::uintptr_t>(site);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (place - maps_[i].begin >= maps_[i].size) continue;
      std::uint8_t& byte = maps_[i].bytes[place - maps_[i].begin];
      if (byte & kSeen) return false;
      byte |= kSeen;
      return true;
    }
    return false;
  }
  /// Whether a hook is a point.
  [[nodiscard]] bool has(wire::Operation hook, const void* site) const {
    const wire::OperationTraits& traits = wire::traits(hook);
    const bool accesses = traits.object == wire::ObjectKind::kMemory;
    if (!accesses) return false;
    // kNone: the point after a store.
    if (traits.is_atomic || traits.effect == wire::Effect::kNone) return true;
    const auto place = reinterpret_cast<std::uintptr_t>(site);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (place - maps_[i].begin < maps_[i].size) {
        return maps_[i].bytes[place - maps_[i].begin] & kMarked;
      }
    }
    return true;
  }

 private:
  static constexpr std::uint8_t kMarked = 1;
  static constexpr std::uint8_t kSeen = 2;

  struct Map {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint8_t* bytes = nullptr;
  };

  Map maps_[kMostMaps];
  std::uint32_t count_ = 0;
};

}  // namespace unravel
