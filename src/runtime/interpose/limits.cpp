/// Limits on memory, and locking memory. Our own memory is not part of either.
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/directory.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"

namespace unravel {

namespace {

/// Whether our memory counts against this limit in this process.
bool is_adjusted(int resource) {
  return OwnLimits::concerns(resource) && (controlled_thread() || is_in_child());
}

int exchange_limit(int resource, const rlimit* wanted, rlimit* old) {
  const int error = runtime().own_limits().exchange(resource, wanted, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool is_accessible = false;

  /// Reads a line of /proc/self/maps.
  explicit Mapping(const char* line) {
    char* rest = nullptr;
    begin = read_number(line, &rest);
    end = read_number(rest + 1, &rest);
    is_accessible = rest[1] == 'r' || rest[2] == 'w' || rest[3] == 'x';
  }
  [[nodiscard]] bool is_ours() const {
    return begin >= wire::kChannelAddress && end <= wire::kChannelAddress + wire::Layout::kReserved;
  }

 private:
  static std::uintptr_t read_number(const char* text, char** rest) {
    std::uintptr_t number = 0;
    for (; (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'f'); ++text) {
      number = number * 16 + static_cast<unsigned>(*text <= '9' ? *text - '0' : *text - 'a' + 10);
    }
    *rest = const_cast<char*>(text);
    return number;
  }
};

/// Locks every mapping but ours, like mlockall(MCL_CURRENT). Returns 0 or an error number. Like
/// mlockall, it leaves out what cannot be made resident.
int lock_mappings(bool on_fault) {
  int error = 0;
  os::for_each_line("/proc/self/maps", [&](const char* line) {
    const Mapping mapping(line);
    if (mapping.is_ours() || std::strstr(line, "[vsyscall]")) return true;
    const auto begin = static_cast<long>(mapping.begin);
    const auto size = static_cast<long>(mapping.end - mapping.begin);
    const long result = os::call(SYS_mlock2, begin, size, MLOCK_ONFAULT);
    // Other errors do not end the call: mlockall leaves out such mappings, too.
    if (result == -EPERM || result == -ENOMEM) error = static_cast<int>(-result);
    if (!error && !on_fault && mapping.is_accessible) os::call(SYS_mlock, begin, size);
    return error == 0;
  });
  return error;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int getrlimit(__rlimit_resource_t resource, rlimit* limit) noexcept {
  if (!is_adjusted(resource)) return real::getrlimit(resource, limit);
  return exchange_limit(resource, nullptr, limit);
}

UNRAVEL_EXPORT int getrlimit64(__rlimit_resource_t resource, rlimit64* limit) noexcept {
  return getrlimit(resource, reinterpret_cast<rlimit*>(limit));
}

UNRAVEL_EXPORT int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
  if (!is_adjusted(resource)) return real::setrlimit(resource, limit);
  return exchange_limit(resource, limit, nullptr);
}

UNRAVEL_EXPORT int setrlimit64(__rlimit_resource_t resource, const rlimit64* limit) noexcept {
  return setrlimit(resource, reinterpret_cast<const rlimit*>(limit));
}

UNRAVEL_EXPORT int prlimit(pid_t process, __rlimit_resource resource, const rlimit* limit,
                           rlimit* old) noexcept {
  const pid_t meant = real_process(process);
  const bool own = meant == 0 || meant == os::call(SYS_getpid);
  if (!own || !is_adjusted(resource)) return real::prlimit(meant, resource, limit, old);
  return exchange_limit(resource, limit, old);
}

UNRAVEL_EXPORT int prlimit64(pid_t process, __rlimit_resource resource, const rlimit64* limit,
                             rlimit64* old) noexcept {
  return prlimit(process, resource, reinterpret_cast<const rlimit*>(limit),
                 reinterpret_cast<rlimit*>(old));
}

// The kernel would also make our two gigabytes resident, most of which are never used.
UNRAVEL_EXPORT int mlockall(int flags) noexcept {
  constexpr int kKnown = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;
  const bool valid = !(flags & ~kKnown) && (flags & (MCL_CURRENT | MCL_FUTURE));
  if (!controlled_thread() || !valid || !(flags & MCL_CURRENT)) return real::mlockall(flags);
  const int kept = errno;
  const int later = flags & ~MCL_CURRENT;
  if ((flags & MCL_FUTURE ? real::mlockall(later) : munlockall()) != 0) return -1;
  const int error = lock_mappings((flags & MCL_ONFAULT) != 0);
  if (error) munlockall();
  errno = error ? error : kept;
  return error ? -1 : 0;
}
