// A loop that Threading Building Blocks shares out among its threads.
// flags: -std=c++17
// libraries: -ltbb
#include <tbb/parallel_for.h>

#include <atomic>
#include <cstdio>

int main() {
  std::atomic<int> sum{0};
  tbb::parallel_for(0, 1000, [&](int i) { sum += i; });
  std::printf("%d\n", sum.load());
  return sum != 499500;
}
