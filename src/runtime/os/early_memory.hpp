/// Memory for the loader while it looks up the real malloc. It is zeroed and never freed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace unravel::os {

class EarlyMemory {
 public:
  static constexpr std::size_t kSize = 4096;

  /// Null: not enough memory is left.
  void* allocate(std::size_t size) {
    if (size >= kSize - used_) return nullptr;
    void* memory = bytes_ + used_;
    used_ += (size + kAlignment) & ~(kAlignment - 1);  // empty blocks have addresses of their own
    return memory;
  }

  [[nodiscard]] bool has(const void* address) const { return offset_of(address) < kSize; }
  /// The number of bytes that can be read from this address on.
  [[nodiscard]] std::size_t room_from(const void* address) const {
    return has(address) ? kSize - offset_of(address) : 0;
  }

 private:
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);
  static_assert(kSize % kAlignment == 0);

  [[nodiscard]] std::size_t offset_of(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(bytes_);
  }

  alignas(std::max_align_t) std::byte bytes_[kSize] = {};
  std::size_t used_ = 0;
};

}  // namespace unravel::os
