/// Unfinished requests of aio: a queue for each descriptor, in the order of the requests. They are
/// linked through the program's own control blocks.
#pragma once

#include <aio.h>
#include <signal.h>

namespace unravel {

/// The requests of one lio_listio(), which are notified together.
struct AsyncGroup {
  bool in_use = false;
  int left = 0;
  sigevent notice{};
};

struct AsyncQueue {
  bool in_use = false;
  bool has_begun = false;  // the first request has begun
  int descriptor = -1;
  aiocb* first = nullptr;
};

class AsyncRequests {
 public:
  static constexpr int kNone = 0;

  /// The queue of a descriptor; made if it does not exist. Null: there are too many.
  AsyncQueue* queue_of(int descriptor) {
    AsyncQueue* free = nullptr;
    for (AsyncQueue& queue : queues_) {
      if (queue.in_use && queue.descriptor == descriptor) return &queue;
      if (!queue.in_use && !free) free = &queue;
    }
    if (free) *free = {.in_use = true, .has_begun = false, .descriptor = descriptor};
    return free;
  }
  [[nodiscard]] AsyncQueue* find(int descriptor) {
    for (AsyncQueue& queue : queues_) {
      if (queue.in_use && queue.descriptor == descriptor) return &queue;
    }
    return nullptr;
  }
  static void append(AsyncQueue& queue, aiocb* request) {
    aiocb** link = &queue.first;
    while (*link) link = &(*link)->__next_prio;
    request->__next_prio = nullptr;
    *link = request;
  }
  /// Removes the request; returns false if it is not there.
  static bool remove(AsyncQueue& queue, const aiocb* request) {
    aiocb** link = &queue.first;
    while (*link && *link != request) link = &(*link)->__next_prio;
    if (!*link) return false;
    *link = (*link)->__next_prio;
    return true;
  }

  /// Returns the group's number; kNone: there are too many.
  int make_group(const sigevent& notice) {
    for (int i = 0; i < kMostGroups; ++i) {
      if (groups_[i].in_use) continue;
      groups_[i] = {.in_use = true, .left = 0, .notice = notice};
      return i + 1;
    }
    return kNone;
  }
  AsyncGroup& group(int number) { return groups_[number - 1]; }

 private:
  static constexpr int kMostQueues = 256;
  static constexpr int kMostGroups = 256;

  AsyncQueue queues_[kMostQueues];
  AsyncGroup groups_[kMostGroups];
};

}  // namespace unravel
