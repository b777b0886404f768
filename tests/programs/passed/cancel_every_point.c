// A thread that was asked to end does so at its next cancellation point, whatever the call would
// have answered; and one that waits there is woken.
//
// expect: passed
// within: random, 15 runs
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;
static sem_t empty, started;
static int cleaned;

static void by_pause(void) { pause(); }
static void by_sigsuspend(void) { sigsuspend(&set); }
static void by_sigwait(void) {
  int signal;
  sigwait(&set, &signal);
}
static void by_sigwaitinfo(void) { sigwaitinfo(&set, NULL); }
static void by_sigtimedwait(void) { sigtimedwait(&set, NULL, NULL); }
static void by_semaphore(void) { sem_wait(&empty); }
static void by_sleep(void) { sleep(1000); }
static void by_no_sleep(void) { usleep(0); }
static void by_select(void) { select(0, NULL, NULL, NULL, NULL); }
static void by_poll(void) { poll(NULL, 0, -1); }
static void by_bad_read(void) {
  char byte;
  (void)!read(-1, &byte, 1);
}
static void by_bad_write(void) { (void)!write(-1, "", 1); }
static void by_close(void) { close(-1); }
static void by_bad_send(void) { send(-1, "", 1, 0); }
static void by_wait(void) { wait(NULL); }
static void by_testing(void) { pthread_testcancel(); }
static void by_syncing(void) { fsync(-1); }
static void by_opening(void) { open("/", O_RDONLY); }

static void (*const points[])(void) = {
    by_pause, by_sigsuspend, by_sigwait, by_sigwaitinfo, by_sigtimedwait, by_semaphore,
    by_sleep, by_no_sleep,   by_select,  by_poll,        by_bad_read,     by_bad_write,
    by_close, by_bad_send,   by_wait,    by_testing,     by_syncing,      by_opening};
enum { kPoints = sizeof points / sizeof *points };

static void clean_up(void* unused) {
  (void)unused;
  cleaned++;
}

/// With the request pending already, or before it comes.
static void* reach(void* point) {
  int old;
  pthread_cleanup_push(clean_up, NULL);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  if ((unsigned long)point % 2) sem_wait(&started);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  for (;; sched_yield()) points[(unsigned long)point / 2]();
  pthread_cleanup_pop(0);
}

int main(void) {
  sem_init(&empty, 0, 0);
  sem_init(&started, 0, 0);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  for (unsigned long i = 0; i < 2 * kPoints; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, reach, (void*)i);
    assert(pthread_cancel(thread) == 0);
    if (i % 2) sem_post(&started);
    void* result = NULL;
    assert(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  }
  assert(cleaned == 2 * kPoints);
}
