// A static object starts a thread before main, and its destructor joins it after.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

class Service {
 public:
  Service() : thread_([this] { work(); }) {}
  ~Service() {
    {
      const std::lock_guard guard(lock_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void request() {
    {
      const std::lock_guard guard(lock_);
      ++requests_;
    }
    changed_.notify_all();
  }
  void await() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return requests_ == 0; });
  }

 private:
  void work() {
    std::unique_lock guard(lock_);
    while (!stop_) {
      changed_.wait(guard, [this] { return stop_ || requests_; });
      requests_ = 0;
      changed_.notify_all();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  int requests_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

Service service;

}  // namespace

int main() {
  service.request();
  service.await();
  std::puts("ok");
}
