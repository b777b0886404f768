// A worker that waits for a message without looking first whether it is there already. If the
// message comes before the wait, the signal is lost and the worker waits for ever.
//
//   g++ -std=c++20 -g -pthread 03-missed-signal.cpp -o missed-signal
//   unravel hunt --jobs 1 --seed 1 -- ./missed-signal
//   unravel show
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

class Mailbox {
 public:
  void put(std::string message) {
    std::lock_guard guard(mutex_);
    message_ = std::move(message);
    arrived_.notify_one();
  }
  std::string take() {
    std::unique_lock guard(mutex_);
    arrived_.wait(guard);
    return message_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::string message_;
};

int main() {
  Mailbox mailbox;
  std::thread worker([&] { mailbox.take(); });
  mailbox.put("hello");
  worker.join();
}
