// Double-checked locking by an atomic pointer: one instance, and nobody sees it half made.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Instance {
  int value = 7;
};

static std::mutex lock;
static std::atomic<Instance*> only = nullptr;
static int made;

static Instance* instance() {
  Instance* seen = only.load(std::memory_order_acquire);
  if (seen != nullptr) return seen;
  std::lock_guard guard(lock);
  seen = only.load(std::memory_order_relaxed);
  if (seen == nullptr) {
    seen = new Instance;
    ++made;
    only.store(seen, std::memory_order_release);
  }
  return seen;
}

static void use() { assert(instance()->value == 7); }

int main() {
  std::thread first(use);
  std::thread second(use);
  std::thread third(use);
  first.join();
  second.join();
  third.join();
  assert(made == 1);
  delete only.load();
}
