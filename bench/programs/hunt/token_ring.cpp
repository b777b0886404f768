// Family: token_ring of the SCTBench collection: three threads hand a number on, a fourth
// compares.
//
// Bug: every thread has the lock for its own step, but nothing makes them go in the ring's order.
//
// Needs: no preemption, but an order of whole threads: the three not as they were created, and the
// comparing one behind all of them.
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex lock;
static int numbers[3];
static bool done[3];

static void hand_on(int self) {
  std::lock_guard guard(lock);
  numbers[self] = self == 0 ? (numbers[2] + 1) % 4 : numbers[self - 1];
  done[self] = true;
}

static void compare() {
  std::lock_guard guard(lock);
  if (!done[0] || !done[1] || !done[2]) return;
  assert(numbers[0] == numbers[1] && numbers[1] == numbers[2]);
}

int main() {
  std::thread first(hand_on, 0);
  std::thread second(hand_on, 1);
  std::thread third(hand_on, 2);
  std::thread comparing(compare);
  first.join();
  second.join();
  third.join();
  comparing.join();
}
