// Two threads write a line each: in which order, the schedule says.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* write_line(void* line) {
  pthread_mutex_lock(&mutex);
  puts(line);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, write_line, "1");
  pthread_create(&second, NULL, write_line, "2");
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
