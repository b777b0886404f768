/// Calls in which the kernel moves bytes from one descriptor to another.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include "runtime/interpose/alias.hpp"
#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/interpose/waiting.hpp"
#include "runtime/os/real.hpp"

namespace unravel {

namespace {

using wire::Operation;

// A writable socket has room for this much, whatever its buffer, so the call does not wait halfway.
constexpr std::size_t kPortion = 4096;

std::size_t portion_of(int descriptor, std::size_t size) {
  struct stat status {};
  const bool is_socket =
      os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 && S_ISSOCK(status.st_mode);
  return is_socket && size > kPortion ? kPortion : size;
}

/// Waits until `descriptor` is ready. Returns false with errno if a signal came first.
bool await_descriptor(Thread& self, int descriptor, short events, const void* site) {
  if (!may_block(descriptor)) return true;
  pollfd wish{.fd = descriptor, .events = events, .revents = 0};
  return wait_for(
             self, &wish, 1, descriptor, kNever, nullptr, site, [](Ready) { return 1L; },
             kNoParts) >= 0;
}

/// Calls `move`, which answers like a system call and does not wait, when both ends are ready. The
/// end that is outside is recorded.
template <class Move>
long move_between(Thread& self, int from, int to, bool blocking, const void* site, Move move) {
  ErrnoKeeper keeper;
  const bool by_reading = may_block(from) && !runtime().outsiders().is_inside(from);
  const int watched = by_reading || !may_block(to) ? from : to;
  const Operation kind = watched == from ? Operation::kRead : Operation::kWrite;
  for (;;) {
    // It is tried first: errors are reported without waiting.
    const long result =
        step_on(self, kind, watched, watched == from ? POLLIN : POLLOUT, site,
                [&](const Part& part) { return with_broken_pipe(self, move(part.most)); },
                {.waits = false});
    if (result != -EAGAIN || !blocking) return keeper.answer(result);
    if (!await_descriptor(self, from, POLLIN, site) || !await_descriptor(self, to, POLLOUT, site)) {
      return keeper.answer(-errno);
    }
  }
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset,
                              std::size_t size, unsigned flags) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::splice, from, from_offset, to, to_offset, size, flags);
  const std::size_t portion = portion_of(to, portion_of(from, size));
  return move_between(
      *self, from, to, !(flags & SPLICE_F_NONBLOCK), UNRAVEL_SITE, [&](std::size_t most) {
        return os::call(
            SYS_splice, from, os::as_argument(from_offset), to, os::as_argument(to_offset),
            static_cast<long>(most < portion ? most : portion), flags | SPLICE_F_NONBLOCK);
      });
}

UNRAVEL_EXPORT ssize_t tee(int from, int to, std::size_t size, unsigned flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::tee, from, to, size, flags);
  return move_between(
      *self, from, to, !(flags & SPLICE_F_NONBLOCK), UNRAVEL_SITE, [&](std::size_t most) {
        return os::call(SYS_tee, from, to, static_cast<long>(most < size ? most : size),
                        flags | SPLICE_F_NONBLOCK);
      });
}

UNRAVEL_EXPORT ssize_t vmsplice(int descriptor, const iovec* pieces, std::size_t count,
                                unsigned flags) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::vmsplice, descriptor, pieces, count, flags);
  const bool writes = (os::call(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
  ErrnoKeeper keeper;
  const auto attempt = [&](const Part& part) {
    return with_broken_pipe(*self, os::call(SYS_vmsplice, part.descriptor, os::as_argument(pieces),
                                            static_cast<long>(count), flags | SPLICE_F_NONBLOCK));
  };
  return keeper.answer(step_on(*self, writes ? Operation::kWrite : Operation::kRead, descriptor,
                               writes ? POLLOUT : POLLIN, UNRAVEL_SITE, attempt,
                               {.waits = !(flags & SPLICE_F_NONBLOCK)}));
}

/// It reads from a file. Writing may have to wait until everything is written.
UNRAVEL_EXPORT ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) noexcept {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::sendfile, to, from, offset, size);
  ErrnoKeeper keeper;
  Patience patience;
  const auto step = [&](std::size_t done) {
    const std::size_t portion = portion_of(to, size - done);
    const auto attempt = [&](const Part& part) {
      const std::size_t most = part.most < portion ? part.most : portion;
      return with_broken_pipe(*self, os::call(SYS_sendfile, part.descriptor, from,
                                              os::as_argument(offset), static_cast<long>(most)));
    };
    return step_on(*self, Operation::kWrite, to, POLLOUT, UNRAVEL_SITE, attempt,
                   {.patience = &patience});
  };
  return keeper.answer(waits_on(to) ? until_done(size, step) : step(0));
}
UNRAVEL_ALIAS(sendfile64, sendfile);
