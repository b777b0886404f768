// Children that abort, crash, throw, fail an assertion or are killed, made in every way there is:
// their parent learns how they ended, and goes on.
//
// expect: passed
// within: random, 10 runs
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int* nowhere;

// Whoever dies is not to fill the screen, nor to leave a core.
static void die(int how) {
  close(STDERR_FILENO);
  switch (how) {
    case 0: abort();
    case 1: *nowhere = 1; break;
    case 2: throw std::runtime_error("in a child");
    case 3: assert(how == 0); break;
    case 4: kill(getpid(), SIGKILL); break;
    case 5: raise(SIGTERM); break;
    case 6: std::terminate();
    case 7: exit(3);
    case 8: quick_exit(4);
    case 9: _exit(5);
    default: pthread_exit(nullptr);
  }
  _exit(99);
}

struct Ending {
  bool signalled;
  int number;
};
static const Ending kEndings[] = {{true, SIGABRT}, {true, SIGSEGV}, {true, SIGABRT},
                                  {true, SIGABRT}, {true, SIGKILL}, {true, SIGTERM},
                                  {true, SIGABRT}, {false, 3},      {false, 4},
                                  {false, 5},      {false, 0}};
static const int kEndingCount = sizeof(kEndings) / sizeof(kEndings[0]);

static int die_on_own_stack(void* how) noexcept {
  die(*static_cast<int*>(how));
  return 98;
}

static pid_t make(int way, int how) {
  static char stack[1 << 18] __attribute__((aligned(16)));
  switch (way) {
    case 0: return fork();
    case 1: return _Fork();
    default: return clone(die_on_own_stack, stack + sizeof(stack), SIGCHLD, &how);
  }
}

static void begin_child(int way, int how) {
  const pid_t child = make(way, how);
  assert(child >= 0);
  if (child == 0) die(how);
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  const Ending& expected = kEndings[how];
  if (expected.signalled) {
    assert(WIFSIGNALED(status) && WTERMSIG(status) == expected.number);
  } else {
    assert(WIFEXITED(status) && WEXITSTATUS(status) == expected.number);
  }
}

static void* make_children(void*) {
  for (int way = 0; way < 3; way++) {
    for (int how = 0; how < kEndingCount; how++) {
      // glibc does not count threads anew for these: what pthread_exit does is not said.
      if (way > 0 && how == kEndingCount - 1) continue;
      begin_child(way, how);
    }
  }
  return nullptr;
}

static void* work(void*) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  return nullptr;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, make_children, nullptr);
  pthread_create(&threads[1], nullptr, work, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  puts("ok");
}
