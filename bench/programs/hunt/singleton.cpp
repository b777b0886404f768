// Family: the singleton of the SCTBench collection and of countless programs.
//
// Bug: whether there is an instance yet is asked without a lock; two threads make one each.
//
// Needs: 1 preemption, of a thread between its look and its write, until another one has written.
#include <cassert>
#include <thread>

struct Singleton {
  int value = 7;
};

static Singleton* only;

static Singleton* instance() {
  if (only == nullptr) only = new Singleton;
  return only;
}

static Singleton* seen[3];

int main() {
  std::thread first([] { seen[0] = instance(); });
  std::thread second([] { seen[1] = instance(); });
  std::thread third([] { seen[2] = instance(); });
  first.join();
  second.join();
  third.join();
  assert(seen[0] == seen[1] && seen[1] == seen[2]);
}
