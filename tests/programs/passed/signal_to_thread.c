// Signals to one thread: tgkill, pthread_sigqueue, a timer of that thread, and the mask that a
// thread's attributes give it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static sem_t ready, go;
static pid_t worker;
static __thread int handled;

static void note(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  assert(gettid() == worker);
  if (signal == SIGUSR1) assert(info->si_code == SI_TKILL && info->si_pid == getpid());
  if (signal == SIGUSR2) assert(info->si_code == SI_QUEUE && info->si_value.sival_int == 7);
  if (signal == SIGRTMIN) assert(info->si_code == SI_TIMER && info->si_value.sival_int == 9);
  handled++;
}

static void* receive(void* unused) {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, NULL, &mask);
  assert(sigismember(&mask, SIGTERM) && !sigismember(&mask, SIGHUP));
  worker = gettid();
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
  event.sigev_value.sival_int = 9;
  event.sigev_notify_thread_id = worker;
  timer_t timer;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  struct itimerspec value = {.it_value = {.tv_nsec = 1000000}};
  assert(timer_settime(timer, 0, &value, NULL) == 0);
  sem_post(&ready);
  while (handled < 3) sem_wait(&go);
  assert(timer_delete(timer) == 0);
  return unused;
}

int main(void) {
  sem_init(&ready, 0, 0);
  sem_init(&go, 0, 0);
  struct sigaction action = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
  sigaction(SIGRTMIN, &action, NULL);
  sigset_t mask;
  sigemptyset(&mask);
  sigaddset(&mask, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &mask, NULL);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  sigemptyset(&mask);
  sigaddset(&mask, SIGTERM);
  assert(pthread_attr_setsigmask_np(&attributes, &mask) == 0);
  pthread_t thread;
  assert(pthread_create(&thread, &attributes, receive, NULL) == 0);
  sigset_t same;
  assert(pthread_attr_getsigmask_np(&attributes, &same) == 0 && sigismember(&same, SIGTERM));
  pthread_attr_destroy(&attributes);
  sem_wait(&ready);
  assert(tgkill(getpid(), worker, 65) == -1 && errno == EINVAL);
  assert(pthread_kill(thread, 65) == EINVAL && pthread_kill(thread, -1) == EINVAL);
  assert(pthread_kill(thread, 0) == 0 && kill(getpid(), 0) == 0);
  assert(tgkill(getpid(), worker, SIGUSR1) == 0);
  assert(pthread_sigqueue(thread, SIGUSR2, (union sigval){.sival_int = 7}) == 0);
  assert(pthread_join(thread, NULL) == 0);
}
