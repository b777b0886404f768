// Memory is accessed where things end: by destructors of threads, of keys and of static objects,
// and by what runs at exit, while a thread that nobody waits for goes on counting.
//
// expect: passed
// within: random, 40 runs
// flags: -fsanitize=thread
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <thread>

static std::atomic<int> counter;
static std::atomic<int> ended;
static pthread_key_t key;

static void count() {
  for (int i = 0; i < 4; i++) counter++;
}

struct OfThread {
  int value = 1;
  ~OfThread() {
    value = 2;
    count();
  }
};
thread_local OfThread of_thread;

static void of_key(void* value) {
  *static_cast<int*>(value) += 1;
  count();
  ended++;
}

struct OfProgram {
  int value = 1;
  ~OfProgram() {
    assert(value == 1);
    count();
    assert(counter >= 2 * 12 + 8 && ended == 2);
  }
};
static OfProgram of_program;

static int values[2];

static void work(int who) {
  of_thread.value = who;
  pthread_setspecific(key, &values[who]);
  count();
}

int main() {
  pthread_key_create(&key, of_key);
  std::atexit([] { count(); });
  std::thread([] {
    for (int i = 0; i < 2000; i++) counter++;
  }).detach();
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  assert(values[0] == 1 && values[1] == 1);
  std::puts("ok");
}
