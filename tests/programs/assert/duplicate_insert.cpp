// Each call on the set is locked, the pair "not there yet, so add it" is not.
//
// expect: assert
// within: random, 100 runs
// bug: insert_once, contains, add
#include <algorithm>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Names {
 public:
  bool contains(int name) {
    const std::lock_guard guard(lock_);
    return std::count(names_.begin(), names_.end(), name) > 0;
  }
  void add(int name) {
    const std::lock_guard guard(lock_);
    names_.push_back(name);
  }
  std::size_t size() const { return names_.size(); }

 private:
  std::mutex lock_;
  std::vector<int> names_;
};

void insert_once(Names& names) {
  if (!names.contains(7)) names.add(7);
}

}  // namespace

int main() {
  Names names;
  std::thread first([&] { insert_once(names); });
  std::thread second([&] { insert_once(names); });
  first.join();
  second.join();
  assert(names.size() == 1);
  std::puts("ok");
}
