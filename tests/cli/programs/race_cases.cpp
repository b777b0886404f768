// Two threads and one variable, ordered or not: the argument says how. Where they race, both lines
// say in which case.
//
// flags: -fsanitize=thread
// compiler: GNU
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

// In ThreadSanitizer's library, and in ours.
extern "C" void AnnotateHappensBefore(const char* file, int line, const volatile void* object);
extern "C" void AnnotateHappensAfter(const char* file, int line, const volatile void* object);
extern "C" void __tsan_acquire(void* object);
extern "C" void __tsan_release(void* object);

static int counter;
static int data;
static std::atomic<int> flag;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;

using Body = void* (*)(void*);

static void run(Body first, Body second) {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, first, nullptr);
  pthread_create(&threads[1], nullptr, second, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}

// --- Locks ---

static void* add(void*) {
  counter++;  // race: counter
  return nullptr;
}
static void* add_locked(void*) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
static void* add_read_locked(void*) {
  pthread_rwlock_rdlock(&rwlock);
  counter++;  // race: read_locked
  pthread_rwlock_unlock(&rwlock);
  return nullptr;
}
static void* add_write_locked(void*) {
  pthread_rwlock_wrlock(&rwlock);
  counter++;
  pthread_rwlock_unlock(&rwlock);
  return nullptr;
}

// --- Hand-overs ---

static void* post(void*) {
  data = 1;
  sem_post(&semaphore);
  return nullptr;
}
static void* wait_for_post(void*) {
  sem_wait(&semaphore);
  data = 2;
  return nullptr;
}

static bool is_set;
static void* set_and_signal(void*) {
  data = 1;
  pthread_mutex_lock(&mutex);
  is_set = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}
static void* wait_until_set(void*) {
  pthread_mutex_lock(&mutex);
  while (!is_set) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  data = 2;
  return nullptr;
}

static void* write_before_barrier(void*) {
  data = 1;
  pthread_barrier_wait(&barrier);
  return nullptr;
}
static void* write_after_barrier(void*) {
  pthread_barrier_wait(&barrier);
  data = 2;
  return nullptr;
}

static int pipe_ends[2];
static void* write_pipe(void*) {
  data = 1;
  if (write(pipe_ends[1], "x", 1) != 1) abort();
  return nullptr;
}
static void* read_pipe(void*) {
  char byte;
  if (read(pipe_ends[0], &byte, 1) != 1) abort();
  data = 2;
  return nullptr;
}

// --- Initialised once ---

static std::once_flag once;
static void* call_once(void*) {
  std::call_once(once, [] { data = 1; });
  return data == 1 ? nullptr : &data;
}
struct Config {
  int port;
  Config() : port(80) { counter++; }
};
static void* use_static(void*) {
  static Config config;
  return config.port == 80 && counter == 1 ? nullptr : &data;
}
struct Fussy {
  Fussy() {
    if (counter++ == 0) throw counter;
  }
};
static void* use_retried(void*) {
  for (;;) {
    try {
      static Fussy fussy;
      return counter == 2 ? nullptr : &data;
    } catch (int) {
    }
  }
}

// --- Published by atomics ---

static void* publish(void*) {
  data = 1;
  flag.store(1, std::memory_order_release);
  return nullptr;
}
static void* observe(void*) {
  if (flag.load(std::memory_order_acquire)) data = 2;
  return nullptr;
}
static void* publish_relaxed(void*) {
  data = 1;  // race: relaxed
  flag.store(1, std::memory_order_relaxed);
  return nullptr;
}
static void* observe_relaxed(void*) {
  if (flag.load(std::memory_order_relaxed)) data = 2;  // race: relaxed
  return nullptr;
}
static void* publish_annotated(void*) {
  data = 1;
  AnnotateHappensBefore(__FILE__, __LINE__, &flag);
  flag.store(1, std::memory_order_relaxed);
  return nullptr;
}
static void* observe_annotated(void*) {
  if (flag.load(std::memory_order_relaxed)) {
    AnnotateHappensAfter(__FILE__, __LINE__, &flag);
    data = 2;
  }
  return nullptr;
}
static void* publish_released(void*) {
  data = 1;
  __tsan_release(&flag);
  flag.store(1, std::memory_order_relaxed);
  return nullptr;
}
static void* observe_acquired(void*) {
  if (flag.load(std::memory_order_relaxed)) {
    __tsan_acquire(&flag);
    data = 2;
  }
  return nullptr;
}

// --- Memory ---

struct Pair {
  long first, second;
};
static Pair pair, copied;
static void* copy_pair(void*) {
  memcpy(&copied, &pair, sizeof pair);  // race: copied
  return nullptr;
}
static void* set_second(void*) {
  pair.second = 1;  // race: copied
  return nullptr;
}

static long* block;
static void* use_block(void*) {
  block[1] = 1;  // race: freed
  return nullptr;
}
static void* free_block(void*) {
  free(block);  // race: freed
  return nullptr;
}

// By no pointer that a name could be found by.
static unsigned long hidden;
static void* use_hidden(void*) {
  reinterpret_cast<long*>(~hidden)[1] = 1;  // race: hidden
  return nullptr;
}
static void* free_hidden(void*) {
  free(reinterpret_cast<void*>(~hidden));  // race: hidden
  return nullptr;
}

// Where the first was, the second is, if it comes later.
static std::atomic<void*> seen[2];
static void note(int at, void* memory) { seen[at].store(memory, std::memory_order_relaxed); }
static void* use_own_block(void*) {
  long* own = static_cast<long*>(malloc(1 << 20));
  own[0] = 1;
  note(flag.fetch_add(1, std::memory_order_relaxed), own);
  free(own);
  return nullptr;
}

static void* use_stack(void*) {
  volatile int local = 0;
  local = local + 1;
  const int at = flag.load(std::memory_order_relaxed);
  note(at, const_cast<int*>(&local));
  flag.store(at + 1, std::memory_order_relaxed);
  return nullptr;
}
static void run_detached() {
  for (int i = 0; i < 2; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, use_stack, nullptr);
    pthread_detach(thread);
    while (flag.load(std::memory_order_relaxed) <= i) usleep(1000);
    usleep(100000);  // until it has ended, by which nothing is ordered
  }
}

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const char* name = arguments[1];
  const auto is = [&](const char* other) { return strcmp(name, other) == 0; };
  pthread_barrier_init(&barrier, nullptr, 2);
  sem_init(&semaphore, 0, 0);
  mallopt(M_MMAP_THRESHOLD, 1 << 16);  // so that memory is given back, and reused at once
  block = static_cast<long*>(malloc(2 * sizeof(long)));
  hidden = ~reinterpret_cast<unsigned long>(malloc(2 * sizeof(long)));
  if (is("counter")) run(add, add);
  if (is("locked")) run(add_locked, add_locked);
  if (is("read_locked")) run(add_read_locked, add_read_locked);
  if (is("write_locked")) run(add_write_locked, add_write_locked);
  if (is("semaphore")) run(post, wait_for_post);
  if (is("condition")) run(set_and_signal, wait_until_set);
  if (is("barrier")) run(write_before_barrier, write_after_barrier);
  if (is("pipe")) return pipe(pipe_ends) ? 2 : (run(write_pipe, read_pipe), 0);
  if (is("call_once")) run(call_once, call_once);
  if (is("static")) run(use_static, use_static);
  if (is("retried")) run(use_retried, use_retried);
  if (is("acquired")) run(publish, observe);
  if (is("relaxed")) run(publish_relaxed, observe_relaxed);
  if (is("annotated")) run(publish_annotated, observe_annotated);
  if (is("released")) run(publish_released, observe_acquired);
  if (is("copied")) run(copy_pair, set_second);
  if (is("freed")) run(use_block, free_block);
  if (is("hidden")) run(use_hidden, free_hidden);
  if (is("reused")) run(use_own_block, use_own_block);
  if (is("detached")) run_detached();
  void* const first = seen[0].load(std::memory_order_relaxed);
  void* const second = seen[1].load(std::memory_order_relaxed);
  if (first) puts(first == second ? "same memory" : "different memory");
}
