// Every source of random numbers gives some, and not the same twice.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

static void draw_from_file(unsigned char* bytes) {
  const int device = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  assert(device >= 0);
  assert(read(device, bytes, 16) == 16);
  assert(close(device) == 0);
}

static void draw_from_stream(unsigned char* bytes) {
  FILE* device = fopen("/dev/random", "rb");
  assert(device);
  assert(fread(bytes, 1, 16, device) == 16);
  fclose(device);
}

static void draw_from_kernel(unsigned char* bytes) {
  errno = 7;
  assert(getrandom(bytes, 16, 0) == 16);
  assert(getentropy(bytes + 8, 8) == 0);
  assert(syscall(SYS_getrandom, bytes + 4, 4, 0) == 4);
  assert(errno == 7);
  assert(getentropy(bytes, 257) == -1);
}

static void draw_from_library(unsigned char* bytes) {
  arc4random_buf(bytes, 16);
  assert(arc4random_uniform(10) < 10);
  bytes[0] ^= (unsigned char)arc4random();
}

static void* draw(void* unused) {
  void (*const sources[])(unsigned char*) = {draw_from_file, draw_from_stream, draw_from_kernel,
                                             draw_from_library};
  for (int i = 0; i < 4; i++) {
    unsigned char first[16] = {0}, second[16] = {0};
    sources[i](first);
    sources[i](second);
    assert(memcmp(first, second, 16) != 0);
  }
  return unused;
}

int main(void) {
  draw(NULL);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, draw, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
