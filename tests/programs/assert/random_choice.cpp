// Random numbers say how long each thread works before its unlocked update: a replay has to draw
// the same ones.
//
// expect: assert
// within: random, 100 runs
// bug: add
#include <sys/random.h>

#include <cassert>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

namespace {

std::mutex lock;
int counter;

void add() {
  unsigned char drawn = 0;
  if (getrandom(&drawn, 1, 0) != 1) return;
  std::random_device device;
  const unsigned rounds = drawn % 4 + device() % 4;
  for (unsigned i = 0; i < rounds; i++) {
    const std::lock_guard guard(lock);
  }
  const int seen = counter;
  for (unsigned i = 0; i < rounds; i++) {
    const std::lock_guard guard(lock);
  }
  counter = seen + 1;
}

}  // namespace

int main() {
  std::thread first(add), second(add), third(add);
  first.join();
  second.join();
  third.join();
  assert(counter == 3);
  std::puts("ok");
}
