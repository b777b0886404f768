// Writes through wild pointers into what unravel shares with the program: `scribble SEED all` over
// everything that is read back, `scribble SEED N` into N words of its first page. As natively
// nothing is mapped there, it only does so where something is.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uint64_t random_state;

static uint64_t next_random(void) {
  uint64_t z = random_state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static char* const shared = (char*)0x6e0000000000;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void scribble(const char* how) {
  unsigned char resident;
  if (mincore(shared, 4096, &resident) != 0) return;
  if (strcmp(how, "all") == 0) {
    volatile uint64_t* words = (volatile uint64_t*)shared;
    for (size_t i = 0; i < (4u << 20) / sizeof *words; ++i) words[i] = next_random();
    return;
  }
  for (int left = atoi(how); left > 0; --left) {
    const size_t at = next_random() % 4096 & ~(size_t)3;
    *(volatile uint32_t*)(shared + at) = (uint32_t)next_random();
  }
}

static void* body(void* how) {
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_lock(&mutex);
    if (i == 5) scribble(how);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int count, char** arguments) {
  if (count < 3) return 2;
  random_state = strtoull(arguments[1], NULL, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, body, arguments[2]);
  body("0");
  pthread_join(thread, NULL);
  return 0;
}
