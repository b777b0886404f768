// std::recursive_mutex: a public method that calls another one of the same object.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

class Account {
 public:
  void add(int amount) {
    const std::lock_guard guard(lock_);
    balance_ += amount;
  }
  void add_twice(int amount) {
    const std::lock_guard guard(lock_);
    const int before = balance_;
    add(amount);
    add(amount);
    assert(balance_ == before + 2 * amount);
  }
  int balance() const { return balance_; }

 private:
  std::recursive_mutex lock_;
  int balance_ = 0;
};

}  // namespace

int main() {
  Account account;
  std::thread first([&] { account.add_twice(5); });
  std::thread second([&] { account.add_twice(7); });
  first.join();
  second.join();
  assert(account.balance() == 24);
  std::puts("ok");
}
