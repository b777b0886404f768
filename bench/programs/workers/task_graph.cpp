// Shape: a pool of four workers that take tasks from a queue. A task that is done may be the last
// one that its parent waits for. Then the parent is queued too.
//
// Bug: the number of tasks that a parent waits for is counted under the lock of the child. Two
// children have two locks, so one of the two may be lost. The parent is never run.
//
// Needs: 1 preemption, of the worker with leaf 2 between its read and its write of the number,
// until another worker has finished leaf 6. All other parents have one child only.
#include <cassert>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kWorkers = 4;
constexpr int kLeaves = 8;
constexpr int kParents = 7;

struct Task {
  std::mutex lock;
  Task* parent = nullptr;
  int waits_for = 0;
  int runs = 0;
};

static const int parent_of[kLeaves] = {0, 1, 2, 3, 4, 5, 2, 6};
static Task tasks[kLeaves + kParents];
static std::mutex queue_lock;
static std::deque<Task*> queue;
static std::mutex statistics_lock;
static int tasks_done;

static void put(Task* task) {
  std::lock_guard guard(queue_lock);
  queue.push_back(task);
}

static Task* take() {
  std::lock_guard guard(queue_lock);
  if (queue.empty()) return nullptr;
  Task* task = queue.front();
  queue.pop_front();
  return task;
}

static void finish(Task* task) {
  std::lock_guard guard(task->lock);
  ++task->runs;
  Task* parent = task->parent;
  if (parent != nullptr && --parent->waits_for == 0) put(parent);
}

static void work() {
  while (Task* task = take()) {
    finish(task);
    std::lock_guard guard(statistics_lock);
    ++tasks_done;
  }
}

int main() {
  for (int i = 0; i < kLeaves; ++i) {
    tasks[i].parent = &tasks[kLeaves + parent_of[i]];
    ++tasks[i].parent->waits_for;
    put(&tasks[i]);
  }
  std::vector<std::thread> workers;
  for (int i = 0; i < kWorkers; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  assert(tasks_done == kLeaves + kParents);
  for (const Task& task : tasks) assert(task.runs == 1);
}
