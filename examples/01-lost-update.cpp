// A bank whose every access is under a lock, and which still loses money: deposit() reads the
// balance under the lock, lets go, and writes the sum back under the lock.
//
// Natively this passes practically always. To find the schedule that breaks it:
//
//   g++ -std=c++20 -g -pthread 01-lost-update.cpp -o lost-update
//   unravel hunt --jobs 1 --seed 1 -- ./lost-update
//   unravel show
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  int balance() {
    std::lock_guard guard(mutex_);
    return balance_;
  }
  void set_balance(int balance) {
    std::lock_guard guard(mutex_);
    balance_ = balance;
  }
  void deposit(int amount) {
    const int before = balance();
    set_balance(before + amount);
  }

 private:
  std::mutex mutex_;
  int balance_ = 0;
};

int main() {
  Account account;
  std::thread alice([&] { account.deposit(100); });
  std::thread bob([&] { account.deposit(50); });
  alice.join();
  bob.join();
  assert(account.balance() == 150);
}
