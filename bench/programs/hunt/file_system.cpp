// Family: fsbench, the file system of Flanagan and Godefroid: inodes and blocks with a lock each.
//
// Bug: whether a block is free at all is asked before one is looked for, and the count is taken
// down afterwards. Two threads see the last block free, and one of them finds none.
//
// Needs: 1 preemption, of a thread between its look at the count and its search, until another has
// the last block.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kInodes = 3;
constexpr int kBlocks = 2;

static std::mutex inode_locks[kInodes];
static int block_of[kInodes];  // 0: none, else the number of its block and 1
static std::mutex block_locks[kBlocks];
static bool in_use[kBlocks];
static std::mutex count_lock;
static int free_blocks = kBlocks;

static bool is_block_free() {
  std::lock_guard guard(count_lock);
  return free_blocks > 0;
}

static bool take_block(int inode, int block) {
  std::lock_guard guard(block_locks[block]);
  if (in_use[block]) return false;
  in_use[block] = true;
  block_of[inode] = block + 1;
  return true;
}

static void create_file(int inode) {
  std::lock_guard guard(inode_locks[inode]);
  if (block_of[inode] != 0 || !is_block_free()) return;
  for (int i = 0; i < kBlocks; ++i) {
    if (take_block(inode, (inode * 2 + i) % kBlocks)) break;
  }
  assert(block_of[inode] != 0);
  std::lock_guard count_guard(count_lock);
  --free_blocks;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kInodes; ++i) threads.emplace_back(create_file, i);
  for (std::thread& thread : threads) thread.join();
}
