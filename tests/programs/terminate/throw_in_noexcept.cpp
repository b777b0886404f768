// close() promises not to throw, but it does when a user is still there.
//
// expect: terminate
// within: random, 100 runs
// bug: change_users, use, refuse_if_used, close, main
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::mutex lock;
int users = 0;

void change_users(int by) {
  const std::lock_guard guard(lock);
  users += by;
}

void use() {
  change_users(+1);
  change_users(-1);
}

void refuse_if_used() {
  const std::lock_guard guard(lock);
  if (users > 0) throw std::logic_error("still in use");
}

void close() noexcept { refuse_if_used(); }

}  // namespace

int main() {
  std::thread user(use);
  close();
  user.join();
  std::puts("ok");
}
