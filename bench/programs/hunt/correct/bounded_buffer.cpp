// A bounded buffer with one condition variable for each side: two threads put, two take.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

constexpr int kRoom = 2;
constexpr int kEach = 3;

static std::mutex lock;
static std::condition_variable not_full;
static std::condition_variable not_empty;
static int elements[kRoom];
static int first;
static int count;
static int sums[2];

static void put() {
  for (int i = 1; i <= kEach; ++i) {
    std::unique_lock guard(lock);
    not_full.wait(guard, [] { return count < kRoom; });
    elements[(first + count) % kRoom] = i;
    ++count;
    not_empty.notify_one();
  }
}

static void take(int self) {
  for (int i = 0; i < kEach; ++i) {
    std::unique_lock guard(lock);
    not_empty.wait(guard, [] { return count > 0; });
    sums[self] += elements[first];
    first = (first + 1) % kRoom;
    --count;
    not_full.notify_one();
  }
}

int main() {
  std::thread putting(put);
  std::thread putting_too(put);
  std::thread taking(take, 0);
  std::thread taking_too(take, 1);
  putting.join();
  putting_too.join();
  taking.join();
  taking_too.join();
  assert(count == 0 && sums[0] + sums[1] == 12);
}
