/// Which sites are points of the set `auto`, and which were executed in this run: a byte for each
/// byte of code.
///
/// Code of a file that was loaded after the table was made has no bytes here: there every access is
/// a point, until it is learnt which ones matter.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wire/operation.hpp"

namespace unravel {

class Marks {
 public:
  static constexpr std::uint32_t kMostMaps = 64;

  /// The code of one file; `bytes` are all zero.
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

  /// Which byte a site has that is no point and that only this thread executed, so far in the run.
  static constexpr std::uint8_t tag_of(std::uint32_t thread) {
    return static_cast<std::uint8_t>((thread % kMostTags + 1) * kFirstTag);
  }

  /// Whether a plain access there by the thread with this tag is certainly no point, and nothing
  /// new in this run: one of the program itself, as most are.
  [[nodiscard]] bool skips(const void* site, std::uint8_t tag) const {
    const auto place = reinterpret_cast<std::uintptr_t>(site) - maps_[0].begin;
    if (place >= maps_[0].size) return false;
    const std::uint8_t byte = maps_[0].bytes[place];
    return byte == tag || (byte & (kMarked | kShared)) == kShared;
  }

  enum class News : std::uint8_t { kNone, kFirst, kAnotherThread };
  /// What an access there by the thread with this tag is in this run: the first one, the first one
  /// of another thread, or nothing new.
  News visit(const void* site, std::uint8_t tag) {
    const auto place = reinterpret_cast<std::uintptr_t>(site);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (place - maps_[i].begin >= maps_[i].size) continue;
      std::uint8_t& byte = maps_[i].bytes[place - maps_[i].begin];
      const auto first = static_cast<std::uint8_t>(byte & ~(kMarked | kShared));
      if (first == 0) {
        byte |= tag;
        return News::kFirst;
      }
      if (first == tag || (byte & kShared)) return News::kNone;
      byte |= kShared;
      return News::kAnotherThread;
    }
    return News::kNone;
  }
  /// Whether a hook is a point.
  [[nodiscard]] bool has(wire::Operation hook, const void* site) const {
    const wire::OperationTraits& traits = wire::traits(hook);
    const bool accesses = traits.object == wire::ObjectKind::kMemory;
    if (!accesses) return false;
    if (traits.is_atomic || traits.effect == wire::Effect::kNone) return true;  // or after a store
    const auto place = reinterpret_cast<std::uintptr_t>(site);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (place - maps_[i].begin < maps_[i].size) {
        return maps_[i].bytes[place - maps_[i].begin] & kMarked;
      }
    }
    return true;
  }

 private:
  // A byte: whether the site is a point, whether several threads came there, and which came first.
  static constexpr std::uint8_t kMarked = 1;
  static constexpr std::uint8_t kShared = 2;
  static constexpr std::uint8_t kFirstTag = 4;
  static constexpr std::uint32_t kMostTags = 63;

  struct Map {
    std::uintptr_t begin = 0;
    std::size_t size = 0;
    std::uint8_t* bytes = nullptr;
  };

  Map maps_[kMostMaps];
  std::uint32_t count_ = 0;
};

}  // namespace unravel
