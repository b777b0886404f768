/// Memory blocks of a few sizes, all powers of two. Returned blocks are reused; everything is freed
/// at the end.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace unravel {

class CellPool {
 public:
  /// The block's bytes are 0. `bytes` is a power of two from kSmallest to kLargest.
  void* take(std::size_t bytes);
  void give_back(void* block, std::size_t bytes);

  [[nodiscard]] std::size_t bytes() const { return reserved_; }

  static constexpr std::size_t kSmallest = 64;
  static constexpr std::size_t kLargest = 4096;

 private:
  struct Free {
    Free* next;
  };

  static std::size_t class_of(std::size_t bytes) {
    return static_cast<std::size_t>(std::countr_zero(bytes) - std::countr_zero(kSmallest));
  }

  struct Unmap {
    std::size_t bytes;
    void operator()(std::byte* chunk) const;
  };

  void add_chunk();

  std::array<Free*, 7> free_{};
  std::vector<std::unique_ptr<std::byte, Unmap>> chunks_;
  std::byte* next_ = nullptr;  // the unused rest of the last chunk
  std::byte* end_ = nullptr;
  std::size_t reserved_ = 0;
};
static_assert(CellPool::kLargest == CellPool::kSmallest << 6, "a list for each size");

}  // namespace unravel
