// Shape: a parallel loop over the edges of a graph. Four workers join the parts that an edge
// connects, in a table of parents.
//
// Bug: a worker finds the roots of both ends and then writes the parent of one root, without asking
// whether it is still a root. Another worker's write to the same root is lost.
//
// Needs: 1 preemption, of the worker with the edge 1-3 before its write, until another worker has
// written for the edge 2-3; or the other way round.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 4;
constexpr int kNodes = 10;

struct Edge {
  int one;
  int other;
};

static const Edge edges[] = {{4, 5}, {1, 3}, {6, 7}, {0, 4}, {8, 9}, {2, 3}, {0, 6}, {0, 8}};
constexpr int kEdges = 8;
static std::atomic<int> parent_of[kNodes];
static std::atomic<int> next_edge;
static std::mutex lock;
static int lengths;

static int root_of(int node) {
  int parent = parent_of[node].load();
  while (parent != node) {
    node = parent;
    parent = parent_of[node].load();
  }
  return node;
}

/// The lower root becomes the parent, so that there are no cycles.
static void join(const Edge& edge) {
  const int one = root_of(edge.one);
  const int other = root_of(edge.other);
  if (one != other) parent_of[std::max(one, other)].store(std::min(one, other));
}

static void work() {
  for (int i = next_edge++; i < kEdges; i = next_edge++) {
    join(edges[i]);
    std::lock_guard guard(lock);
    lengths += edges[i].other - edges[i].one;
  }
}

int main() {
  for (int node = 0; node < kNodes; ++node) parent_of[node] = node;
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  assert(lengths == 24);
  for (const int node : {2, 3}) assert(root_of(node) == 1);
  for (const int node : {4, 5, 6, 7, 8, 9}) assert(root_of(node) == 0);
}
