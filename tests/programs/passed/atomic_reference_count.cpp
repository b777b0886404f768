// The owner that decreases the reference count to zero frees the object, and nobody else does.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

static int freed;

struct Object {
  std::atomic<int> references = 2;
  int uses[2] = {};
  ~Object() { freed += uses[0] + uses[1]; }
};

static void release(Object* object, int owner) {
  object->uses[owner]++;
  if (object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) delete object;
}

int main() {
  auto* object = new Object;
  std::thread first(release, object, 0), second(release, object, 1);
  first.join();
  second.join();
  assert(freed == 2);
  puts("ok");
}
