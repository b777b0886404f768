// As many threads as its first argument says, each of which wants a lock that main holds. Main
// joins them, and so all of them stand still for ever; with "pass" it gives the lock back before.
#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;

[[gnu::noinline]] void take(int depth) {
  if (depth > 0) {
    take(depth - 1);
    asm volatile("");  // a frame of its own, not a tail call
    return;
  }
  pthread_mutex_lock(&wanted);
  pthread_mutex_unlock(&wanted);
}

void* body(void*) {
  take(6);
  return nullptr;
}

}  // namespace

int main(int count, char** arguments) {
  const int threads = count > 1 ? std::atoi(arguments[1]) : 4000;
  const bool passes = count > 2 && std::strcmp(arguments[2], "pass") == 0;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  std::vector<pthread_t> made(static_cast<std::size_t>(threads));
  pthread_mutex_lock(&wanted);
  for (pthread_t& thread : made) {
    if (pthread_create(&thread, &small, body, nullptr) != 0) return 2;
  }
  if (passes) pthread_mutex_unlock(&wanted);
  for (const pthread_t thread : made) pthread_join(thread, nullptr);
  pthread_mutex_destroy(&wanted);
  return 0;
}
