/// Asynchronous input and output. libc uses hidden threads of its own for it. Here a thread under
/// control does the work of a descriptor, one request after the other, and ends when none is left.
/// Results are in the control blocks, where libc's aio_error and aio_return find them.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "runtime/interpose/beats.hpp"
#include "runtime/interpose/cancel.hpp"
#include "runtime/interpose/deadline.hpp"
#include "runtime/interpose/errno_keeper.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/thread.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

// In the same field as LIO_READ and LIO_WRITE.
constexpr int kSynchroniseData = LIO_NOP + 1;
constexpr int kSynchronise = LIO_NOP + 2;

AsyncRequests& requests() { return runtime().async_requests(); }

/// The group's number is where libc keeps a priority.
int& group_of(aiocb& request) { return request.__abs_prio; }

bool is_done(const aiocb& request) {
  return __atomic_load_n(&request.__error_code, __ATOMIC_SEQ_CST) != EINPROGRESS;
}

pthread_attr_t detached() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  return attributes;
}

void notify(Thread& self, const sigevent& notice) {
  if (notice.sigev_notify == SIGEV_SIGNAL) {
    const Op op{.kind = wire::Operation::kSendSignal,
                .site = UNRAVEL_SITE,
                .number = static_cast<std::uint64_t>(notice.sigev_signo)};
    siginfo_t info{};
    info.si_signo = notice.sigev_signo;
    info.si_code = SI_ASYNCIO;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value = notice.sigev_value;
    scheduler().reach(self, op);
    if (Signals::is_ours(notice.sigev_signo)) {
      runtime().signals().send_to_process(notice.sigev_signo, info);
    }
    did(self, op, 0);
  }
  if (notice.sigev_notify == SIGEV_THREAD) {
    // A function that takes one word and returns nothing is called like one that returns a pointer.
    void* function = reinterpret_cast<void*>(notice.sigev_notify_function);
    const auto routine = reinterpret_cast<void* (*)(void*)>(function);
    const pthread_attr_t usual = detached();
    const auto* attributes = static_cast<const pthread_attr_t*>(notice.sigev_notify_attributes);
    pthread_t thread = 0;
    create_thread(self, &thread, attributes ? attributes : &usual, routine,
                  notice.sigev_value.sival_ptr, function);
  }
}

/// The request has already left its queue.
void complete(Thread& self, aiocb& request, ssize_t result, int error) {
  // As soon as the program sees the result, it may free the block.
  const int group = group_of(request);
  const sigevent notice = request.aio_sigevent;
  request.__return_value = result;
  __atomic_store_n(&request.__error_code, error, __ATOMIC_SEQ_CST);
  scheduler().objects().changed_at(&requests());
  notify(self, notice);
  if (group == AsyncRequests::kNone) return;
  AsyncGroup& all = requests().group(group);
  if (--all.left > 0) return;
  const sigevent last = all.notice;
  all.in_use = false;
  notify(self, last);
}

/// Makes the request like libc's own threads. These calls wait under control.
ssize_t perform(const aiocb& request) {
  const int descriptor = request.aio_fildes;
  void* bytes = const_cast<void*>(request.aio_buf);
  ssize_t result = -1;
  do {
    switch (request.aio_lio_opcode & 127) {
      case LIO_READ:
        result = pread(descriptor, bytes, request.aio_nbytes, request.aio_offset);
        if (result < 0 && errno == ESPIPE) result = read(descriptor, bytes, request.aio_nbytes);
        break;
      case LIO_WRITE:
        result = pwrite(descriptor, bytes, request.aio_nbytes, request.aio_offset);
        if (result < 0 && errno == ESPIPE) result = write(descriptor, bytes, request.aio_nbytes);
        break;
      case kSynchroniseData: result = fdatasync(descriptor); break;
      default: result = fsync(descriptor); break;
    }
  } while (result < 0 && errno == EINTR);
  return result;
}

void* work_off(void* argument) {
  Thread& self = *controlled_thread();
  runtime().signals().replace_mask(self, ~std::uint64_t{0});
  AsyncQueue& queue = *static_cast<AsyncQueue*>(argument);
  while (aiocb* request = queue.first) {
    queue.has_begun = true;
    const ssize_t result = perform(*request);
    const int error = result < 0 ? errno : 0;
    AsyncRequests::remove(queue, request);
    queue.has_begun = false;
    // Requests that come during the notification get a new thread.
    if (!queue.first) queue.in_use = false;
    const bool is_last = !queue.in_use;
    complete(self, *request, result, error);
    if (is_last) break;
  }
  return nullptr;
}

/// Returns 0, or -1 with errno, which the block has, too.
int enqueue(Thread& self, aiocb* request, int operation, int group, const void* site) {
  constexpr int kMostPriority = 20;  // AIO_PRIO_DELTA_MAX
  const auto refuse = [request](int error) {
    request->__error_code = error;
    request->__return_value = -1;
    errno = error;
    return -1;
  };
  if (request->aio_reqprio < 0 || request->aio_reqprio > kMostPriority) return refuse(EINVAL);
  AsyncQueue* queue = requests().queue_of(request->aio_fildes);
  if (!queue) return refuse(EAGAIN);
  request->aio_lio_opcode = operation;
  request->__error_code = EINPROGRESS;
  request->__return_value = 0;
  group_of(*request) = group;
  const bool has_worker = queue->first != nullptr;
  AsyncRequests::append(*queue, request);
  if (has_worker) return 0;
  const pthread_attr_t attributes = detached();
  pthread_t thread = 0;
  const int error = create_thread(self, &thread, &attributes, work_off, queue, site);
  if (!error) return 0;
  AsyncRequests::remove(*queue, request);
  queue->in_use = false;
  return refuse(error);
}

struct Awaited {
  const aiocb* const* list;
  int count;
  bool all;

  [[nodiscard]] bool are_done() const {
    bool any = false;
    bool each = true;
    bool none = true;
    for (int i = 0; i < count; ++i) {
      if (!list[i]) continue;
      none = false;
      any = any || is_done(*list[i]);
      each = each && is_done(*list[i]);
    }
    return all ? each : any || none;
  }
};

/// Returns 0 or an error number.
int await(Thread& self, const Awaited& awaited, std::uint64_t deadline, const void* site) {
  const Outside wish{.never_restarts = true};
  const Op op{.kind = wire::Operation::kPoll,
              .object = &requests(),
              .site = site,
              .can =
                  [](const Op&, const Thread& thread) {
                    return static_cast<const Awaited*>(thread.wanted)->are_done();
                  },
              .deadline = deadline,
              .interruptible = true,
              .cancellable = true};
  self.wanted = &awaited;
  self.wish = &wish;
  scheduler().reach(self, op);
  self.wish = nullptr;
  cancellation_point(self);
  const int error = awaited.are_done() ? 0 : self.timed_out ? EAGAIN : EINTR;
  did(self, op, error);
  return error;
}

int request(aiocb* block, int operation, const void* site) {
  return enqueue(*controlled_thread(), block, operation, AsyncRequests::kNone, site);
}

int synchronise(int operation, aiocb* block, const void* site) {
  const long flags = fcntl(block->aio_fildes, F_GETFL);
  if (operation != O_SYNC && operation != O_DSYNC) {
    errno = EINVAL;
    return -1;
  }
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    return -1;
  }
  return request(block, operation == O_SYNC ? kSynchronise : kSynchroniseData, site);
}

int suspend(Thread& self, const aiocb* const list[], int count, const timespec* length,
            const void* site) {
  ErrnoKeeper keeper;
  if (count < 0 || (length && !is_valid(*length))) return keeper.fail(EINVAL);
  const std::uint64_t deadline =
      length ? deadline_after(scheduler().time(), nanoseconds(*length)) : kNever;
  const int error = await(self, {.list = list, .count = count, .all = false}, deadline, site);
  return error ? keeper.fail(error) : 0;
}

int request_all(Thread& self, int mode, aiocb* const list[], int count, const sigevent* notice,
                const void* site) {
  ErrnoKeeper keeper;
  if ((mode != LIO_WAIT && mode != LIO_NOWAIT) || count < 0) return keeper.fail(EINVAL);
  int group = AsyncRequests::kNone;
  if (mode == LIO_NOWAIT && notice) {
    group = requests().make_group(*notice);
    if (group == AsyncRequests::kNone) return keeper.fail(EAGAIN);
    requests().group(group).left = 1;  // until all have been made
  }
  bool failed = false;
  for (int i = 0; i < count; ++i) {
    if (!list[i] || list[i]->aio_lio_opcode == LIO_NOP) continue;
    if (group) ++requests().group(group).left;
    if (enqueue(self, list[i], list[i]->aio_lio_opcode, group, site) == 0) continue;
    failed = true;
    if (group) --requests().group(group).left;
  }
  if (mode == LIO_WAIT) {
    const int error = await(self, {.list = list, .count = count, .all = true}, kNever, site);
    if (error) return keeper.fail(error);
    for (int i = 0; i < count; ++i) {
      const bool made = list[i] && list[i]->aio_lio_opcode != LIO_NOP;
      failed = failed || (made && list[i]->__error_code != 0);
    }
  } else if (group && --requests().group(group).left == 0) {
    const sigevent last = requests().group(group).notice;
    requests().group(group).in_use = false;
    notify(self, last);
  }
  return failed ? keeper.fail(EIO) : 0;
}

int cancel(Thread& self, int descriptor, aiocb* block) {
  if (fcntl(descriptor, F_GETFL) < 0) {
    errno = EBADF;
    return -1;
  }
  if (block && block->aio_fildes != descriptor) {
    errno = EINVAL;
    return -1;
  }
  if (block && is_done(*block)) return AIO_ALLDONE;
  AsyncQueue* queue = requests().find(descriptor);
  int answer = AIO_ALLDONE;
  aiocb* one = queue ? queue->first : nullptr;
  if (one && queue->has_begun) {
    if (!block || block == one) answer = AIO_NOTCANCELED;
    one = one->__next_prio;
  }
  while (one) {
    aiocb* next = one->__next_prio;
    if (!block || block == one) {
      AsyncRequests::remove(*queue, one);
      if (answer == AIO_ALLDONE) answer = AIO_CANCELED;
      complete(self, *one, -1, ECANCELED);
    }
    one = next;
  }
  return answer;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int aio_read(aiocb* block) noexcept {
  return controlled_thread() ? request(block, LIO_READ, UNRAVEL_SITE)
                             : pass_through(UNRAVEL_SITE, real::aio_read, block);
}

UNRAVEL_EXPORT int aio_write(aiocb* block) noexcept {
  return controlled_thread() ? request(block, LIO_WRITE, UNRAVEL_SITE)
                             : pass_through(UNRAVEL_SITE, real::aio_write, block);
}

UNRAVEL_EXPORT int aio_fsync(int operation, aiocb* block) noexcept {
  if (!controlled_thread()) return real::aio_fsync(operation, block);
  return synchronise(operation, block, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int aio_suspend(const aiocb* const list[], int count, const timespec* length) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::aio_suspend, list, count, length);
  return suspend(*self, list, count, length, UNRAVEL_SITE);
}

UNRAVEL_EXPORT int aio_cancel(int descriptor, aiocb* block) noexcept {
  Thread* self = controlled_thread();
  return self ? cancel(*self, descriptor, block) : real::aio_cancel(descriptor, block);
}

UNRAVEL_EXPORT int lio_listio(int mode, aiocb* const list[], int count, sigevent* notice) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::lio_listio, mode, list, count, notice);
  return request_all(*self, mode, list, count, notice, UNRAVEL_SITE);
}

// The same control blocks under another name.
UNRAVEL_EXPORT int aio_read64(aiocb64* block) noexcept {
  return aio_read(reinterpret_cast<aiocb*>(block));
}
UNRAVEL_EXPORT int aio_write64(aiocb64* block) noexcept {
  return aio_write(reinterpret_cast<aiocb*>(block));
}
UNRAVEL_EXPORT int aio_fsync64(int operation, aiocb64* block) noexcept {
  return aio_fsync(operation, reinterpret_cast<aiocb*>(block));
}
UNRAVEL_EXPORT int aio_suspend64(const aiocb64* const list[], int count, const timespec* length) {
  return aio_suspend(reinterpret_cast<const aiocb* const*>(list), count, length);
}
UNRAVEL_EXPORT int aio_cancel64(int descriptor, aiocb64* block) noexcept {
  return aio_cancel(descriptor, reinterpret_cast<aiocb*>(block));
}
UNRAVEL_EXPORT int lio_listio64(int mode, aiocb64* const list[], int count,
                                sigevent* notice) noexcept {
  return lio_listio(mode, reinterpret_cast<aiocb* const*>(list), count, notice);
}
