#include "runtime/process/outsiders.hpp"

#include <signal.h>
#include <time.h>

#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/run_traces.hpp"

namespace unravel {

namespace {

// Of more, the others are found ready when the next glance is over.
constexpr nfds_t kMostWatched = 256;

// Children and signals make no descriptor readable: they are looked for this often.
constexpr std::uint64_t kGlanceNanoseconds = 2'000'000;

std::uint64_t real_now() {
  timespec now{};
  real::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace

bool Outsiders::is_inside(int descriptor) const {
  return descriptor >= 0 && descriptor < kMostDescriptors &&
         (inside_[descriptor / 64] >> (descriptor % 64) & 1);
}

void Outsiders::note_inside(int descriptor) {
  if (descriptor < 0 || descriptor >= kMostDescriptors) return;
  inside_[descriptor / 64] |= std::uint64_t{1} << (descriptor % 64);
}

void Outsiders::forget(int descriptor) {
  if (descriptor < 0 || descriptor >= kMostDescriptors) return;
  inside_[descriptor / 64] &= ~(std::uint64_t{1} << (descriptor % 64));
}

void Outsiders::note_copy(int descriptor, int copy) {
  if (is_inside(descriptor)) {
    note_inside(copy);
  } else {
    forget(copy);
  }
}

void Outsiders::note_child(pid_t child) {
  children_[children_made_++ % kMostChildren] = child;
  for (std::uint64_t& word : inside_) word = 0;
}

std::uint64_t Outsiders::ordinal_of(pid_t child) const {
  const std::uint64_t known = children_made_ < kMostChildren ? children_made_ : kMostChildren;
  for (std::uint64_t back = 0; back < known; ++back) {
    const std::uint64_t index = children_made_ - 1 - back;
    if (children_[index % kMostChildren] == child) return index + 1;
  }
  return 0;
}

pid_t Outsiders::child_at(std::uint64_t ordinal) const {
  const bool known =
      ordinal >= 1 && ordinal <= children_made_ && children_made_ - ordinal < kMostChildren;
  return known ? children_[(ordinal - 1) % kMostChildren] : 0;
}

Outsiders::Piped* Outsiders::find_piped(const void* stream) {
  for (Piped& one : piped_) {
    if (one.stream == stream) return &one;
  }
  return nullptr;
}

bool Outsiders::exist() const {
  if (children_made_) return true;
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    const Thread* thread = scheduler_.threads()[slot];
    if (thread->in_use && !thread->ended && thread->outside) return true;
  }
  return false;
}

// A thread that waits for signals does so for ever in most programs. It must not make a deadlock
// of the others look like patience, nor a timeout take its time. A child that lives will send one
// when it ends, to whoever handles it, whatever that thread is doing.
bool Outsiders::may_come(std::uint64_t deadline) const {
  bool signals = false;
  bool stuck_inside = false;
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    const Thread* thread = scheduler_.threads()[slot];
    if (!thread->in_use || thread->ended) continue;
    if (!thread->outside) {
      stuck_inside = stuck_inside || thread->pending.kind != wire::Operation::kJoin;
    } else if (thread->outside->count || thread->outside->child) {
      return true;
    } else {
      signals = true;
    }
  }
  if ((signals || signals_.is_handled(SIGCHLD)) && has_children()) return true;
  return signals && !stuck_inside && deadline == kNever;
}

bool Outsiders::wait(std::uint64_t deadline) {
  if (!may_come(deadline)) return false;

  std::uint64_t length = kGlanceNanoseconds;
  if (deadline != kNever) {
    const std::uint64_t now = scheduler_.time().now();
    const std::uint64_t patience = deadline > now ? deadline - now : 0;
    if (waited_ >= patience) {
      waited_ -= patience;
      return false;
    }
    if (patience - waited_ < length) length = patience - waited_;
  }

  pollfd watched[kMostWatched];
  nfds_t count = 0;
  for (std::uint32_t slot = 0; slot < scheduler_.slots(); ++slot) {
    const Thread* thread = scheduler_.threads()[slot];
    if (!thread->in_use || thread->ended || !thread->outside) continue;
    for (nfds_t i = 0; i < thread->outside->count && count < kMostWatched; ++i) {
      watched[count++] = thread->outside->descriptors[i];
    }
  }
  const std::uint64_t begun = real_now();
  const timespec glance{.tv_sec = 0, .tv_nsec = static_cast<long>(length)};
  os::call(SYS_ppoll, os::as_argument(watched), static_cast<long>(count), os::as_argument(&glance),
           0, 0);
  waited_ += real_now() - begun;
  return true;
}

}  // namespace unravel
