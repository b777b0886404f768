// Takes pthread_create from the C library behind everybody's back, as some libraries do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

typedef int (*Create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* lock_once(void* argument) {
  pthread_setname_np(pthread_self(), argument);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void run(Create create, const char* name) {
  pthread_t thread;
  create(&thread, NULL, lock_once, (void*)name);
  pthread_join(thread, NULL);
}

int main(void) {
  run(pthread_create, "seen");
  const Create hidden = (Create)dlsym(dlopen("libc.so.6", RTLD_NOW), "pthread_create");
  if (!hidden) return 1;
  run(hidden, "hidden");
  puts("done");
  return 0;
}
