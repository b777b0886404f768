// Family: lazy01 of the SCTBench collection: two threads add under a lock, a third one looks.
//
// Bug: the third one takes for granted that it looks before both have added. It is created first
// here, so that it does when threads run one after the other.
//
// Needs: no preemption, but two of six orders of whole threads: the looking one last.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int data;

static void add(int amount) {
  std::lock_guard guard(lock);
  data += amount;
}

static void look() {
  std::lock_guard guard(lock);
  assert(data < 3);
}

int main() {
  std::thread looking(look);
  std::thread one(add, 1);
  std::thread two(add, 2);
  looking.join();
  one.join();
  two.join();
}
