// A record is written by two calls of memcpy and read by a third, whose sizes only the program
// knows, under a lock.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct record {
  char name[16];
  char address[16];
};

static struct record shared = {"old", "old"};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void set(const char* text, size_t size) {
  pthread_mutex_lock(&mutex);
  memcpy(shared.name, text, size);
  memcpy(shared.address, text, size);
  pthread_mutex_unlock(&mutex);
}

static void get(struct record* seen, size_t size) {
  pthread_mutex_lock(&mutex);
  memcpy(seen, &shared, size);
  pthread_mutex_unlock(&mutex);
  assert(strcmp(seen->name, seen->address) == 0);
}

static void* write_record(void* text) {
  set(text, strlen(text) + 1);
  return NULL;
}

static void* read_record(void* seen) {
  get(seen, sizeof(struct record));
  return NULL;
}

int main(void) {
  struct record seen;
  pthread_t writer, reader;
  pthread_create(&writer, NULL, write_record, "new");
  pthread_create(&reader, NULL, read_record, &seen);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  puts("ok");
}
