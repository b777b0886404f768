// A pool of threads that take jobs from a queue until it is closed and empty.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard guard(lock_);
      closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  void add(std::function<void()> job) {
    {
      std::lock_guard guard(lock_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      std::function<void()> job;
      {
        std::unique_lock guard(lock_);
        changed_.wait(guard, [this] { return closed_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      job();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool closed_ = false;
  std::vector<std::thread> workers_;
};

static int results[4];

int main() {
  {
    Pool pool(3);
    for (int i = 0; i < 4; ++i) pool.add([i] { results[i] = i + 1; });
  }
  for (int i = 0; i < 4; ++i) assert(results[i] == i + 1);
}
