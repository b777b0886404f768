// Names of temporary files that nobody makes yet: new ones each time, and the same in every run.
//
// expect: passed
// within: random, 10 runs
#define _GNU_SOURCE
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// By dlsym, since the linker warns of each of them.
typedef char* Make(char* name);
typedef char* MakeIn(const char* directory, const char* prefix);
static Make *mktemp_, *tmpnam_r_;
static MakeIn* tempnam_;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// A replay in which a name is another one takes other steps.
static void make_steps_by(const char* name) {
  for (const char* end = name + strlen(name) - 1; *end > 'a' && *end-- < 'p';) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

static void* name(void* unused) {
  char own[L_tmpnam], filled[] = "/tmp/filled-XXXXXX", wrong[] = "/tmp/XXX";
  assert(tmpnam_r_(own) == own && strlen(own) == strlen("/tmp/fileXXXXXX"));
  assert(mktemp_(filled) == filled && strncmp(filled, "/tmp/filled-", 12) == 0);
  assert(!strstr(filled, "XXXXXX"));
  assert(*mktemp_(wrong) == '\0' && errno == EINVAL);
  char* made = tempnam_("/dev//", "prefixed");
  char* usual = tempnam_("/no/such/directory", NULL);
  assert(strncmp(made, "/dev/prefi", 10) == 0 && strlen(made) == 16);
  assert(strncmp(usual, "/tmp/file", 9) == 0 && strcmp(usual, own) != 0);
  make_steps_by(own);
  make_steps_by(filled);
  make_steps_by(made);
  make_steps_by(usual);
  free(made);
  free(usual);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  unsetenv("TMPDIR");
  mktemp_ = (Make*)dlsym(RTLD_DEFAULT, "mktemp");
  tmpnam_r_ = (Make*)dlsym(RTLD_DEFAULT, "tmpnam_r");
  tempnam_ = (MakeIn*)dlsym(RTLD_DEFAULT, "tempnam");
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, name, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
