// A bounded queue of many who put and many who take, in the manner of Vyukov: every cell has a
// sequence number that says whose turn it is there. Who finds it full or empty gives way and tries
// again.
#include <sched.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

constexpr unsigned kRoom = 2;

class Queue {
 public:
  Queue() {
    for (unsigned i = 0; i < kRoom; ++i) cells_[i].sequence.store(i);
  }

  bool put(int value) {
    unsigned place = put_at_.load();
    for (;;) {
      Cell& cell = cells_[place % kRoom];
      const auto ahead = static_cast<std::int32_t>(cell.sequence.load() - place);
      if (ahead < 0) return false;
      if (ahead > 0) {
        place = put_at_.load();
      } else if (put_at_.compare_exchange_strong(place, place + 1)) {
        cell.value = value;
        cell.sequence.store(place + 1);
        return true;
      }
    }
  }

  bool take(int& value) {
    unsigned place = take_at_.load();
    for (;;) {
      Cell& cell = cells_[place % kRoom];
      const auto ahead = static_cast<std::int32_t>(cell.sequence.load() - (place + 1));
      if (ahead < 0) return false;
      if (ahead > 0) {
        place = take_at_.load();
      } else if (take_at_.compare_exchange_strong(place, place + 1)) {
        value = cell.value;
        cell.sequence.store(place + kRoom);
        return true;
      }
    }
  }

 private:
  struct Cell {
    std::atomic<unsigned> sequence;
    int value = 0;
  };
  Cell cells_[kRoom];
  std::atomic<unsigned> put_at_ = 0;
  std::atomic<unsigned> take_at_ = 0;
};

static Queue queue;
static int sums[2];

static void put_two(int value) {
  for (int i = 0; i < 2; ++i) {
    while (!queue.put(value + i)) sched_yield();
  }
}

static void take_two(int self) {
  for (int i = 0; i < 2; ++i) {
    int value = 0;
    while (!queue.take(value)) sched_yield();
    sums[self] += value;
  }
}

int main() {
  std::thread putting(put_two, 1);
  std::thread putting_too(put_two, 10);
  std::thread taking(take_two, 0);
  std::thread taking_too(take_two, 1);
  putting.join();
  putting_too.join();
  taking.join();
  taking_too.join();
  assert(sums[0] + sums[1] == 24);
}
