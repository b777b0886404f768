// A stream that another thread has locked is waited for in every call that locks it.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <wchar.h>

static FILE *bytes, *wide;

static void* keep(void* unused) {
  for (int i = 0; i < 12; i++) {
    flockfile(bytes);
    flockfile(wide);
    usleep(20);
    funlockfile(wide);
    funlockfile(bytes);
    usleep(20);
  }
  return unused;
}

#define BESIDE(call) \
  do {               \
    sched_yield();   \
    call;            \
  } while (0)

int main(void) {
  bytes = tmpfile();
  wide = tmpfile();
  pthread_t thread;
  assert(pthread_create(&thread, NULL, keep, NULL) == 0);
  fpos_t position;
  int number = 0;
  wchar_t text[10];
  BESIDE(assert(fputs("12 34\n", bytes) >= 0));
  BESIDE(assert(fputws(L"56 78\n", wide) >= 0));
  BESIDE(assert(ftell(bytes) == 6));
  BESIDE(rewind(bytes));
  BESIDE(assert(fscanf(bytes, "%d", &number) == 1 && number == 12));
  BESIDE(assert(fgetpos(bytes, &position) == 0));
  BESIDE(assert(ungetc('x', bytes) == 'x'));
  BESIDE(assert(fseek(bytes, 0, SEEK_SET) == 0));
  BESIDE(assert(feof(bytes) == 0 && ferror(bytes) == 0));
  BESIDE(rewind(wide));
  BESIDE(assert(fwscanf(wide, L"%d", &number) == 1 && number == 56));
  BESIDE(assert(fgetwc(wide) == L' '));
  BESIDE(assert(fgetws(text, 10, wide) && text[0] == L'7'));
  BESIDE(assert(fseek(wide, 0, SEEK_END) == 0 && fwprintf(wide, L"%d", 9) == 1));
  BESIDE(assert(fflush(NULL) == 0));
  BESIDE(clearerr(bytes));
  assert(pthread_join(thread, NULL) == 0);
  return 0;
}
