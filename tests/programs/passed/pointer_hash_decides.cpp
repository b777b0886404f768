// How long threads work depends on a hash of addresses: of the heap, of stacks, of the program's
// own data and code. A replay goes the same way only if all of them are where they were.
//
// expect: passed
// within: random, 20 runs
#include <sched.h>

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {

int global;

std::size_t hash_of(const void* address) {
  return std::hash<std::uintptr_t>{}(reinterpret_cast<std::uintptr_t>(address) >> 4) * 2654435761u;
}

void work() {
  int local = 0;
  auto owned = std::make_unique<int>(0);
  std::unordered_set<const void*> seen{&local, owned.get(), &global,
                                       reinterpret_cast<const void*>(&work)};
  for (const void* address : seen) {  // in the order of their hashes
    for (std::size_t i = hash_of(address) / 64 % 5; i > 0; i--) sched_yield();
  }
  assert(seen.size() == 4);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}
