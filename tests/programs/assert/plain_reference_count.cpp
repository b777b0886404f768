// The reference count is decreased in plain steps: both owners or none of them free the object.
//
// expect: assert
// within: random, 200 runs
// bug: release, main
// flags: -fsanitize=thread
// points: memory; one compiler makes no hooks where main uses the object
// variant: clang -O1: assert, 1000 runs; it makes no hook where main uses its own local object
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

struct Object {
  int references = 2;
  std::atomic<int> freed = 0;
};

static void release(Object* object) {
  object->references--;
  if (object->references == 0) object->freed++;
}

int main() {
  Object object;
  std::thread other(release, &object);
  release(&object);
  other.join();
  assert(object.freed == 1);
  puts("ok");
}
