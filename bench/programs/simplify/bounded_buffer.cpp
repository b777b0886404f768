// After bbuf of the paper: a buffer between threads that put and threads that take.
//
// Bug: put() signals only when it makes the buffer non-empty. If two takers wait, and a putter
// puts two elements before the first taker has come back, the second one is never woken, although
// an element is there for it. In put() and take().
//
// Shows as: a deadlock; main waits for a taker for ever. Switches at synchronisation are enough.
// Fewest: with p putters and t takers p + t + 2 switches, none of them a preemption (p, t > 1 and
// room for all elements): two takers wait, every thread runs to its end but one of these, which
// stays; the other one runs twice, and so does main.
//
// Arguments: putters, takers, elements of each (default: 5 5 3).
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Element {
  int from;
  int value;
};

/// A ring of fixed size.
class Buffer {
 public:
  explicit Buffer(unsigned room) : ring_(room) {
    pthread_mutex_init(&lock_, nullptr);
    pthread_cond_init(&has_room_, nullptr);
    pthread_cond_init(&has_element_, nullptr);
  }
  ~Buffer() {
    pthread_cond_destroy(&has_element_);
    pthread_cond_destroy(&has_room_);
    pthread_mutex_destroy(&lock_);
  }

  void put(Element element) {
    pthread_mutex_lock(&lock_);
    while (count_ == ring_.size()) pthread_cond_wait(&has_room_, &lock_);
    ring_[(first_ + count_) % ring_.size()] = element;
    ++count_;
    // Whoever waits for the second one is not told.
    if (count_ == 1) pthread_cond_signal(&has_element_);
    pthread_mutex_unlock(&lock_);
  }

  Element take() {
    pthread_mutex_lock(&lock_);
    while (count_ == 0) pthread_cond_wait(&has_element_, &lock_);
    const Element element = ring_[first_];
    first_ = (first_ + 1) % static_cast<unsigned>(ring_.size());
    --count_;
    pthread_cond_signal(&has_room_);
    pthread_mutex_unlock(&lock_);
    return element;
  }

 private:
  pthread_mutex_t lock_;
  pthread_cond_t has_room_;
  pthread_cond_t has_element_;
  std::vector<Element> ring_;
  unsigned first_ = 0;
  unsigned count_ = 0;
};

struct Task {
  Buffer* buffer;
  int number;
  int elements;
  long sum = 0;
};

void* put_all(void* argument) {
  auto* task = static_cast<Task*>(argument);
  for (int i = 0; i < task->elements; ++i) {
    const Element element{task->number, task->number * 1000 + i};
    task->sum += element.value;
    task->buffer->put(element);
  }
  return nullptr;
}

void* take_all(void* argument) {
  auto* task = static_cast<Task*>(argument);
  for (int i = 0; i < task->elements; ++i) task->sum += task->buffer->take().value;
  return nullptr;
}

long join_all(const std::vector<pthread_t>& threads, const std::vector<Task>& tasks) {
  long sum = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    pthread_join(threads[i], nullptr);
    sum += tasks[i].sum;
  }
  return sum;
}

std::vector<Task> tasks_of(Buffer& buffer, int count, int elements) {
  std::vector<Task> tasks;
  for (int i = 0; i < count; ++i) tasks.push_back({&buffer, i, elements});
  return tasks;
}

}  // namespace

int main(int argc, char** argv) {
  const int putters = argc > 1 ? std::atoi(argv[1]) : 5;
  const int takers = argc > 2 ? std::atoi(argv[2]) : 5;
  const int elements = argc > 3 ? std::atoi(argv[3]) : 3;
  if (putters < 1 || takers < 1 || elements < 1 || putters * elements % takers != 0) {
    std::fprintf(stderr, "usage: bounded_buffer PUTTERS TAKERS ELEMENTS\n");
    return 2;
  }
  Buffer buffer(static_cast<unsigned>(putters * elements));
  std::vector<Task> putting = tasks_of(buffer, putters, elements);
  std::vector<Task> taking = tasks_of(buffer, takers, putters * elements / takers);
  std::vector<pthread_t> putting_threads(putting.size());
  for (std::size_t i = 0; i < putting.size(); ++i) {
    pthread_create(&putting_threads[i], nullptr, put_all, &putting[i]);
  }
  std::vector<pthread_t> taking_threads(taking.size());
  for (std::size_t i = 0; i < taking.size(); ++i) {
    pthread_create(&taking_threads[i], nullptr, take_all, &taking[i]);
  }
  const long put = join_all(putting_threads, putting);
  const long taken = join_all(taking_threads, taking);
  std::printf("put %ld, taken %ld\n", put, taken);
  return put == taken ? 0 : 1;
}
