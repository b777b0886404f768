// A thread waits in a system call that nobody sees, which must not return before something comes:
// the program takes an early return for a bug of its own. Many others stand beside it, so that
// reading all stacks takes a while.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

// Behind the C library's back, so that nothing makes it wait in another way. Unlike most calls this
// one is not restarted by the kernel.
static long wait_for_event(int epoll) {
  struct epoll_event event;
  register long number __asm__("rax") = SYS_epoll_wait;
  register long timeout __asm__("r10") = -1;
  __asm__ volatile("syscall"
                   : "+r"(number)
                   : "D"((long)epoll), "S"(&event), "d"(1L), "r"(timeout)
                   : "rcx", "r11", "memory");
  return number;
}

static void* waiter(void* unused) {
  const long events = wait_for_event(epoll_create1(0));
  assert(events > 0 && "nobody may interrupt this wait");
  return unused;
}

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void* bystander(void* unused) {
  pthread_mutex_lock(&held);
  pthread_mutex_unlock(&held);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&held);
  for (int i = 0; i < 300; ++i) pthread_create(&thread, NULL, bystander, NULL);
  pthread_create(&thread, NULL, waiter, NULL);
  pthread_join(thread, NULL);
  return 0;
}
