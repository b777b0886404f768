// After Manager of IBM's ConTest benchmark: releasers give memory blocks back, a manager counts.
// Defects: release() marks a block as free under the lock, but counts it without the lock (a race
// that loses updates). The marks and the count belong together; the manager reads both apart.
// Shows as: abort; the manager, or main at the end, finds another number of free blocks.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

constexpr int kReleasers = 3;
constexpr int kBlocksOfEach = 4;
constexpr int kBlocks = kReleasers * kBlocksOfEach;
constexpr int kInspections = 2;

struct Block {
  bool free = false;
  int released_by = -1;
};

class Pool {
 public:
  void release(int number, int releaser) {
    {
      std::lock_guard guard(lock_);
      Block& block = blocks_[number];
      block.released_by = releaser;
      block.free = true;
    }
    ++released_;
  }

  /// How many blocks are marked as free.
  int count_free() {
    std::lock_guard guard(lock_);
    int count = 0;
    for (const Block& block : blocks_) {
      if (!block.free) continue;
      if (block.released_by < 0) std::abort();
      ++count;
    }
    return count;
  }

  /// How many blocks were released.
  int released() const { return released_; }

 private:
  std::mutex lock_;
  std::array<Block, kBlocks> blocks_;
  int released_ = 0;
};

Pool pool;

void release_own(int releaser) {
  for (int i = 0; i < kBlocksOfEach; ++i) pool.release(releaser * kBlocksOfEach + i, releaser);
}

void inspect() {
  const int released = pool.released();
  const int free = pool.count_free();
  if (released == free) return;
  std::fprintf(stderr, "%d blocks were released, but %d are free\n", released, free);
  std::abort();
}

void manage() {
  for (int i = 0; i < kInspections; ++i) inspect();
}

}  // namespace

int main() {
  std::array<std::thread, kReleasers> releasers;
  for (int i = 0; i < kReleasers; ++i) releasers[i] = std::thread(release_own, i);
  std::thread manager(manage);
  for (std::thread& releaser : releasers) releaser.join();
  manager.join();
  inspect();
  std::printf("%d of %d blocks are free\n", pool.count_free(), kBlocks);
}
