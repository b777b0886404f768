// A ring with one who puts and one who takes, each with its own index; both spin when they must
// wait.
#include <atomic>
#include <cassert>
#include <thread>

constexpr unsigned kRoom = 2;
constexpr unsigned kCount = 4;

static std::atomic<unsigned> put_so_far = 0;
static std::atomic<unsigned> taken_so_far = 0;
static unsigned slots[kRoom];

static void put() {
  for (unsigned i = 0; i < kCount; ++i) {
    while (i - taken_so_far.load(std::memory_order_acquire) == kRoom) {
    }
    slots[i % kRoom] = i + 1;
    put_so_far.store(i + 1, std::memory_order_release);
  }
}

static void take() {
  for (unsigned i = 0; i < kCount; ++i) {
    while (put_so_far.load(std::memory_order_acquire) == i) {
    }
    assert(slots[i % kRoom] == i + 1);
    taken_so_far.store(i + 1, std::memory_order_release);
  }
}

int main() {
  std::thread putting(put);
  std::thread taking(take);
  putting.join();
  taking.join();
}
