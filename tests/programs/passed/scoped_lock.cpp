// std::scoped_lock takes two mutexes in any order without deadlock.
//
// expect: passed
// within: random, 50 runs
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex lock;
  int balance = 10;
};

void transfer(Account& from, Account& to, int amount) {
  const std::scoped_lock both(from.lock, to.lock);
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
  assert(left.balance == 11 && right.balance == 9);
  std::puts("ok");
}
