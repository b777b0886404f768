#include "runtime/process/signal_watchers.hpp"

#include "runtime/os/system_call.hpp"

namespace unravel {

const SignalWatchers::Watcher* SignalWatchers::find(int descriptor) const {
  if (!used_ || descriptor < 0) return nullptr;
  for (const Watcher& watcher : watchers_) {
    if (watcher.descriptor == descriptor) return &watcher;
  }
  return nullptr;
}

bool SignalWatchers::add(int descriptor, std::uint64_t set) {
  auto* known = const_cast<Watcher*>(find(descriptor));
  if (known) {
    known->set = set;
    return true;
  }
  for (Watcher& watcher : watchers_) {
    if (watcher.descriptor >= 0) continue;
    watcher = {.descriptor = descriptor, .set = set};
    ++used_;
    return true;
  }
  return false;
}

void SignalWatchers::remove(int descriptor) {
  auto* known = const_cast<Watcher*>(find(descriptor));
  if (!known) return;
  *known = {};
  --used_;
}

std::uint64_t SignalWatchers::set_of_watcher(int descriptor) const {
  const Watcher* watcher = find(descriptor);
  return watcher ? watcher->set : 0;
}

void SignalWatchers::show(std::uint64_t pending) {
  for (Watcher& watcher : watchers_) {
    const bool readable = pending & watcher.set;
    if (watcher.descriptor < 0 || watcher.readable == readable) continue;
    watcher.readable = readable;
    std::uint64_t count = 1;
    os::call(readable ? SYS_write : SYS_read, watcher.descriptor, os::as_argument(&count),
             sizeof(count));
  }
}

void SignalWatchers::rename(int descriptor, int other) {
  for (Watcher& watcher : watchers_) {
    if (watcher.descriptor == descriptor) watcher.descriptor = other;
  }
}

}  // namespace unravel
