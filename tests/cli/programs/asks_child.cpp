// Reads what a child prints, with fgets; the child also sends a signal, and its status counts.
// Fails if the child says 42, ends with status 7 and has sent the signal.
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

static volatile sig_atomic_t signals = 0;

int main(int, char** arguments) {
  std::signal(SIGUSR1, [](int) { signals = signals + 1; });
  int status = 0;
  long sum = 0;
  std::thread reader([&] {
    FILE* child = popen(arguments[1], "r");
    char line[100];
    while (std::fgets(line, sizeof line, child)) sum += std::atol(line);
    status = pclose(child);
  });
  std::thread other([] {
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
  });
  reader.join();
  other.join();
  std::printf("sum %ld, status %d, signals %d\n", sum, WEXITSTATUS(status), int{signals});
  std::fflush(stdout);
  assert(!(sum == 42 && WEXITSTATUS(status) == 7 && signals == 1));
}
