// Family: the circular buffer of the SCTBench collection, with two threads that put.
//
// Bug: whether there is room is asked under one hold of the lock, and the element put under the
// next. Two threads find the same last room, and one writes over what nobody has taken.
//
// Needs: 1 preemption, from one that has found the last room to the other one, which takes it.
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kRoom = 3;

class Buffer {
 public:
  bool has_room() {
    std::lock_guard guard(lock_);
    return count_ < kRoom;
  }
  void put(int element) {
    std::lock_guard guard(lock_);
    elements_[(first_ + count_) % kRoom] = element;
    ++count_;
    assert(count_ <= kRoom);
  }
  int take() {
    std::lock_guard guard(lock_);
    if (count_ == 0) return 0;
    const int element = elements_[first_];
    first_ = (first_ + 1) % kRoom;
    --count_;
    return element;
  }

 private:
  std::mutex lock_;
  int elements_[kRoom] = {};
  int first_ = 0;
  int count_ = 0;
};

static Buffer buffer;

static void put_all() {
  for (int i = 1; i <= kRoom; ++i) {
    if (buffer.has_room()) buffer.put(i);
  }
}

static void take_some() {
  for (int i = 0; i < 2; ++i) buffer.take();
}

int main() {
  std::thread putting(put_all);
  std::thread putting_too(put_all);
  std::thread taking(take_some);
  putting.join();
  putting_too.join();
  taking.join();
}
