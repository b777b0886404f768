// aio: requests of one descriptor are done in their order, by a thread beside the program's own;
// their end is waited for, told by a signal or by a function, one by one or together.
//
// expect: passed
// within: random, 30 runs
#define _GNU_SOURCE
#include <aio.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int told;
static volatile sig_atomic_t signalled;

static void on_signal(int number, siginfo_t* info, void* context) {
  (void)number;
  (void)context;
  assert(info->si_code == SI_ASYNCIO && info->si_value.sival_int == 7);
  signalled++;
}

static void on_end(union sigval value) {
  pthread_mutex_lock(&lock);
  told += value.sival_int;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void await(struct aiocb* request) {
  const struct aiocb* list[] = {request};
  while (aio_error(request) == EINPROGRESS) {
    const int result = aio_suspend(list, 1, NULL);
    assert(result == 0 || errno == EINTR);
  }
}

int main(void) {
  FILE* stream = tmpfile();
  assert(stream);
  const int file = fileno(stream);
  struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);

  // Written and read back, with a signal at the end.
  char text[] = "asynchronous", back[sizeof(text)] = "";
  struct aiocb write_it = {.aio_fildes = file, .aio_buf = text, .aio_nbytes = sizeof(text)};
  write_it.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
  write_it.aio_sigevent.sigev_signo = SIGUSR1;
  write_it.aio_sigevent.sigev_value.sival_int = 7;
  assert(aio_write(&write_it) == 0);
  await(&write_it);
  assert(aio_error(&write_it) == 0 && aio_return(&write_it) == sizeof(text));
  while (!signalled) {
    struct timespec moment = {.tv_nsec = 1000000};
    nanosleep(&moment, NULL);
  }
  struct aiocb read_it = {.aio_fildes = file, .aio_buf = back, .aio_nbytes = sizeof(back)};
  read_it.aio_sigevent.sigev_notify = SIGEV_THREAD;
  read_it.aio_sigevent.sigev_notify_function = on_end;
  read_it.aio_sigevent.sigev_value.sival_int = 1;
  assert(aio_read(&read_it) == 0);
  pthread_mutex_lock(&lock);
  while (told < 1) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(aio_return(&read_it) == sizeof(back) && strcmp(text, back) == 0);
  struct aiocb sync_it = {.aio_fildes = file};
  sync_it.aio_sigevent.sigev_notify = SIGEV_NONE;
  assert(aio_fsync(O_SYNC, &sync_it) == 0);
  await(&sync_it);
  assert(aio_return(&sync_it) == 0);
  assert(aio_fsync(12345, &sync_it) == -1 && errno == EINVAL);

  // From a pipe, in the order of the requests; those that have not begun can be cancelled.
  int ends[2];
  assert(pipe(ends) == 0);
  char bytes[3] = "";
  struct aiocb reads[3];
  for (int i = 0; i < 3; i++) {
    reads[i] = (struct aiocb){.aio_fildes = ends[0], .aio_buf = &bytes[i], .aio_nbytes = 1};
    reads[i].aio_sigevent.sigev_notify = SIGEV_NONE;
    assert(aio_read(&reads[i]) == 0);
  }
  const struct aiocb* first[] = {&reads[0]};
  const struct timespec soon = {.tv_nsec = 1000000};
  assert(aio_suspend(first, 1, &soon) == -1 && errno == EAGAIN);
  assert(aio_cancel(ends[0], &reads[2]) == AIO_CANCELED);
  assert(aio_error(&reads[2]) == ECANCELED && aio_return(&reads[2]) == -1);
  assert(write(ends[1], "ab", 2) == 2);
  await(&reads[0]);
  await(&reads[1]);
  assert(bytes[0] == 'a' && bytes[1] == 'b');
  assert(aio_cancel(ends[0], NULL) == AIO_ALLDONE);

  // Several at once, waited for; and told of together.
  char left[4] = "", right[4] = "";
  struct aiocb both[2] = {{.aio_fildes = file, .aio_buf = left, .aio_nbytes = 4},
                          {.aio_fildes = file, .aio_buf = right, .aio_nbytes = 4}};
  struct aiocb* list[] = {&both[0], NULL, &both[1]};
  for (int i = 0; i < 2; i++) {
    both[i].aio_lio_opcode = LIO_READ;
    both[i].aio_offset = 4 * i;
    both[i].aio_sigevent.sigev_notify = SIGEV_NONE;
  }
  assert(lio_listio(LIO_WAIT, list, 3, NULL) == 0);
  assert(memcmp(left, "asyn", 4) == 0 && memcmp(right, "chro", 4) == 0);
  struct sigevent end = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_end};
  end.sigev_value.sival_int = 10;
  both[0].aio_lio_opcode = both[1].aio_lio_opcode = LIO_READ;
  assert(lio_listio(LIO_NOWAIT, list, 3, &end) == 0);
  pthread_mutex_lock(&lock);
  while (told < 11) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(aio_error(&both[0]) == 0 && aio_error(&both[1]) == 0);

  // What is wrong is told at once, or at the end.
  struct aiocb wrong = {.aio_fildes = -1, .aio_buf = back, .aio_nbytes = 1};
  wrong.aio_sigevent.sigev_notify = SIGEV_NONE;
  assert(aio_read(&wrong) == 0);
  await(&wrong);
  assert(aio_error(&wrong) == EBADF && aio_return(&wrong) == -1);
  wrong.aio_reqprio = -1;
  assert(aio_read(&wrong) == -1 && errno == EINVAL);
  assert(aio_cancel(-1, NULL) == -1 && errno == EBADF);
  puts("ok");
}
