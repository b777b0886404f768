// A transfer locks the accounts in the order of its arguments; two opposite ones deadlock.
//
// expect: deadlock
// within: random, 100 runs
// bug: transfer
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex lock;
  int balance = 10;
};

void transfer(Account& from, Account& to, int amount) {
  const std::lock_guard first(from.lock);
  const std::lock_guard second(to.lock);
  from.balance -= amount;
  to.balance += amount;
}

}  // namespace

int main() {
  Account left;
  Account right;
  std::thread there([&] { transfer(left, right, 3); });
  std::thread back([&] { transfer(right, left, 4); });
  there.join();
  back.join();
  std::puts("ok");
}
