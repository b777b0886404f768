// A fault is handled where it happens, with what the kernel says of it, on the stack that was asked
// for; its handler sees what is blocked, changes it, and may jump out. So it is with abort().
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static __thread sigjmp_buf back;
static __thread char* page;
static __thread char* stack;
static __thread int handled;
static const size_t kStack = 1 << 16;

static void jump(int signal, siginfo_t* info, void* raw) {
  ucontext_t* context = raw;
  char here;
  stack_t now;
  assert(&here >= stack && &here < stack + kStack);
  assert(sigaltstack(NULL, &now) == 0 && now.ss_flags == SS_ONSTACK && now.ss_sp == stack);
  assert(info->si_addr == page && context->uc_mcontext.gregs[REG_RIP] != 0);
  assert(!sigismember(&context->uc_sigmask, signal));
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  assert(sigismember(&blocked, signal) && sigismember(&blocked, SIGUSR1));
  siglongjmp(back, 1);
}

static void let_it_be(int signal, siginfo_t* info, void* raw) {
  (void)signal;
  assert(info->si_addr == page);
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  sigaddset(&((ucontext_t*)raw)->uc_sigmask, SIGUSR2);
  handled++;
}

static void aborted(int signal) {
  (void)signal;
  siglongjmp(back, 2);
}

static int is_blocked(int signal) {
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, NULL, &blocked);
  return sigismember(&blocked, signal);
}

static void* fault(void* unused) {
  stack_t none, own = {.ss_sp = stack = malloc(kStack), .ss_size = kStack};
  assert(sigaltstack(NULL, &none) == 0 && none.ss_flags == SS_DISABLE && none.ss_size == 0);
  assert(sigaltstack(&own, NULL) == 0);
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (volatile int i = 0; i < 2; i++) {
    if (sigsetjmp(back, 1) == 0) *page = 1;
    assert(!is_blocked(SIGSEGV) && !is_blocked(SIGUSR1));
  }
  own.ss_flags = SS_DISABLE;
  assert(sigaltstack(&own, &none) == 0 && none.ss_sp == stack);
  free(stack);
  return unused;
}

static void* fault_and_go_on(void* unused) {
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *page = 1;
  assert(handled == 1 && *page == 1 && is_blocked(SIGUSR2));
  return unused;
}

static void run_two(void* (*what)(void*)) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, what, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

int main(void) {
  struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaddset(&action.sa_mask, SIGUSR1);
  assert(sigaction(SIGSEGV, &action, NULL) == 0);
  run_two(fault);
  action = (struct sigaction){.sa_sigaction = let_it_be, .sa_flags = SA_SIGINFO};
  assert(sigaction(SIGSEGV, &action, NULL) == 0);
  run_two(fault_and_go_on);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  signal(SIGABRT, aborted);
  pthread_sigmask(SIG_BLOCK, &set, NULL);  // abort() is not stopped by it
  if (sigsetjmp(back, 1) == 0) abort();
  assert(is_blocked(SIGABRT));
}
