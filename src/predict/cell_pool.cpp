#include "predict/cell_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/assert.hpp"

namespace unravel {
namespace {

// Small traces need little memory. Large chunks let the kernel use huge pages; without these, half
// of the time of an analysis over much memory is address translation.
constexpr std::size_t kFirstChunk = std::size_t{256} << 10;
constexpr std::size_t kLargestChunk = std::size_t{8} << 20;

}  // namespace

void CellPool::Unmap::operator()(std::byte* chunk) const { ::munmap(chunk, bytes); }

void CellPool::add_chunk() {
  // Grows by an eighth each time, so that at most an eighth is unused.
  const std::size_t wanted = std::clamp(reserved_ / 8, kFirstChunk, kLargestChunk);
  const std::size_t bytes = (wanted + kFirstChunk - 1) / kFirstChunk * kFirstChunk;
  void* const chunk =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (chunk == MAP_FAILED) throw std::bad_alloc();
  ::madvise(chunk, bytes, MADV_HUGEPAGE);  // a hint: without it, only slower
  chunks_.emplace_back(static_cast<std::byte*>(chunk), Unmap{bytes});
  next_ = chunks_.back().get();
  end_ = next_ + bytes;
  reserved_ += bytes;
}

void* CellPool::take(std::size_t bytes) {
  UNRAVEL_ASSERT(std::has_single_bit(bytes) && bytes >= kSmallest && bytes <= kLargest,
                 "the pool has no blocks of this size");
  Free*& free = free_[class_of(bytes)];
  if (free) {
    Free* const block = free;
    free = block->next;
    return std::memset(static_cast<void*>(block), 0, bytes);
  }
  if (static_cast<std::size_t>(end_ - next_) < bytes) {
    // Cuts the rest of the chunk into smaller blocks, so that nothing is wasted.
    while (next_ != end_) {
      const std::size_t left = std::bit_floor(static_cast<std::size_t>(end_ - next_));
      give_back(next_, left);
      next_ += left;
    }
    add_chunk();
  }
  void* const block = next_;
  next_ += bytes;
  return block;
}

void CellPool::give_back(void* block, std::size_t bytes) {
  Free*& free = free_[class_of(bytes)];
  free = new (block) Free{free};
}

}  // namespace unravel
