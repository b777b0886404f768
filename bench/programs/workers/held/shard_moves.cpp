// Shape: four workers move entries between the shards of a table, as a list of moves says.
//
// Bug: a worker locks the shard that it takes from, and then the one that it puts into. The first
// move and the last one have the same shards in opposite order.
//
// Needs: 1 preemption, of the worker with the first move between its two locks, until another
// worker has the lock of the shard that the last move takes from.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 4;
constexpr int kShards = 5;

struct Move {
  int from;
  int to;
};

struct Shard {
  std::mutex lock;
  int entries = 10;
};

static const Move moves[] = {{0, 1}, {2, 3}, {2, 4}, {3, 4}, {1, 0}};
constexpr int kMoves = 5;
static Shard shards[kShards];
static std::atomic<int> next_move;
static std::mutex statistics_lock;
static int moved;

static void make_move(const Move& move) {
  std::lock_guard from_guard(shards[move.from].lock);
  std::lock_guard to_guard(shards[move.to].lock);
  --shards[move.from].entries;
  ++shards[move.to].entries;
}

static void work() {
  for (int i = next_move++; i < kMoves; i = next_move++) {
    make_move(moves[i]);
    std::lock_guard guard(statistics_lock);
    ++moved;
  }
}

int main() {
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  int entries = 0;
  for (const Shard& shard : shards) entries += shard.entries;
  assert(moved == kMoves && entries == 10 * kShards);
}
