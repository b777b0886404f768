// An object with an atomic count of references: whoever gives back the last one ends it, once.
#include <atomic>
#include <cassert>
#include <thread>

struct Object {
  std::atomic<int> references = 1;
  int value = 7;
  bool ended = false;
};

static Object object;
static std::atomic<int> times_ended;

static void acquire() { object.references.fetch_add(1, std::memory_order_relaxed); }

static void release() {
  if (object.references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  object.ended = true;
  times_ended.fetch_add(1);
}

static void use() {
  assert(!object.ended && object.value == 7);
  release();
}

int main() {
  acquire();
  std::thread first(use);
  acquire();
  std::thread second(use);
  acquire();
  std::thread third(use);
  release();
  first.join();
  second.join();
  third.join();
  assert(object.ended && times_ended == 1);
}
