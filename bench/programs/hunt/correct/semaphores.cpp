// Two threads that hand a plain variable to and fro by two semaphores.
#include <semaphore.h>

#include <cassert>
#include <thread>

constexpr int kRounds = 3;

static sem_t ping;
static sem_t pong;
static int value;

int main() {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  std::thread odd([] {
    for (int round = 0; round < kRounds; ++round) {
      sem_wait(&ping);
      assert(value == 2 * round);
      ++value;
      sem_post(&pong);
    }
  });
  std::thread even([] {
    for (int round = 0; round < kRounds; ++round) {
      sem_wait(&pong);
      assert(value == 2 * round + 1);
      ++value;
      sem_post(&ping);
    }
  });
  odd.join();
  even.join();
  assert(value == 2 * kRounds);
}
