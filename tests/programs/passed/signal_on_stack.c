// A handler that asks for it runs on its thread's alternate stack, where one is set; a second
// handler there stays on it; a jump leaves it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static const size_t kStack = 1 << 16;
static __thread char* stack;
static __thread int handled;
static __thread sigjmp_buf back;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_on_stack(void) {
  char here;
  stack_t now;
  assert(sigaltstack(NULL, &now) == 0);
  int on = &here >= stack && &here < stack + kStack;
  assert(on == (now.ss_flags == SS_ONSTACK));
  return on;
}

static void nested(int signal) {
  (void)signal;
  assert(is_on_stack());
  handled++;
}

static void note(int signal) {
  (void)signal;
  assert(is_on_stack());
  stack_t other = {.ss_sp = stack, .ss_size = kStack};
  assert(sigaltstack(&other, NULL) == -1 && errno == EPERM);
  pthread_mutex_lock(&lock);
  handled++;
  pthread_mutex_unlock(&lock);
  raise(SIGUSR2);
}

static void jump(int signal) {
  (void)signal;
  assert(is_on_stack());
  siglongjmp(back, 1);
}

static void plain(int signal) {
  (void)signal;
  assert(!is_on_stack());
  handled++;
}

static void* handle(void* unused) {
  stack_t tiny = {.ss_sp = &tiny, .ss_size = 16};
  assert(sigaltstack(&tiny, NULL) == -1 && errno == ENOMEM);
  stack_t own = {.ss_sp = stack = malloc(kStack), .ss_size = kStack};
  assert(sigaltstack(&own, NULL) == 0 && !is_on_stack());
  for (int i = 0; i < 2; i++) {
    assert(raise(SIGUSR1) == 0 && handled == 2 && !is_on_stack());
    if (sigsetjmp(back, 1) == 0) raise(SIGTERM);
    assert(!is_on_stack());
    assert(raise(SIGHUP) == 0 && handled == 3);
    handled = 0;
  }
  own.ss_flags = SS_DISABLE;
  assert(sigaltstack(&own, NULL) == 0);
  free(stack);
  stack = NULL;
  return unused;
}

static void set(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  assert(sigaction(signal, &action, NULL) == 0);
}

int main(void) {
  set(SIGUSR1, note, SA_ONSTACK);
  set(SIGUSR2, nested, 0);
  set(SIGTERM, jump, SA_ONSTACK);
  set(SIGHUP, plain, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, handle, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
