// Family: the queue of the SCTBench collection: one puts, one takes, two flags say whose turn it
// is.
//
// Bug: whoever finds that it is not its turn goes on to its next round all the same, without
// looking again, so that the rounds of the two part: the taker expects the wrong element.
//
// Needs: 1 preemption, of the taker when it has had a round in vain; it must begin.
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kRounds = 4;

static std::mutex lock;
static bool may_put = true;
static bool may_take;
static int slots[kRounds];
static int head;
static int tail;
static int stored[kRounds];

static void put() {
  for (int round = 0; round < kRounds; ++round) {
    std::lock_guard guard(lock);
    if (!may_put) continue;
    const int element = 100 + round;
    slots[tail++] = element;
    stored[round] = element;
    may_put = false;
    may_take = true;
  }
}

static void take() {
  for (int round = 0; round < kRounds; ++round) {
    std::lock_guard guard(lock);
    if (!may_take) continue;
    assert(slots[head++] == stored[round]);
    may_take = false;
    may_put = true;
  }
}

int main() {
  std::thread putting(put);
  std::thread taking(take);
  putting.join();
  taking.join();
}
