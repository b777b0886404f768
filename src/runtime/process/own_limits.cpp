#include "runtime/process/own_limits.hpp"

#include <errno.h>

#include "runtime/os/system_call.hpp"
#include "wire/control.hpp"

namespace unravel {

namespace {

// The library itself, and the loader's memory for it.
constexpr rlim_t kLibrary = 4 * wire::kMiB;
constexpr rlim_t kOurs[] = {wire::Layout::kReserved + kLibrary,
                            wire::Layout::kReserved - wire::Layout::kPrivate + kLibrary};

rlim_t raised(rlim_t limit, rlim_t by) {
  return limit == RLIM_INFINITY || limit > RLIM_INFINITY - by ? RLIM_INFINITY : limit + by;
}

int set_limit(int resource, const rlimit* wanted, rlimit* old) {
  return static_cast<int>(
      -os::call(SYS_prlimit64, 0, resource, os::as_argument(wanted), os::as_argument(old)));
}

}  // namespace

int OwnLimits::exchange(int resource, const rlimit* wanted, rlimit* old) {
  const int place = place_of(resource);
  Asked& asked = asked_[place];
  rlimit real{};
  if (const int error = set_limit(resource, nullptr, &real)) return error;
  const rlimit before = asked.is_known ? asked.limit : real;
  if (wanted) {
    if (wanted->rlim_cur > wanted->rlim_max) return EINVAL;
    const rlimit higher{raised(wanted->rlim_cur, kOurs[place]),
                        raised(wanted->rlim_max, kOurs[place])};
    int error = set_limit(resource, &higher, nullptr);
    if (error == EPERM && wanted->rlim_max <= before.rlim_max) {
      // The program may ask for this, but we must not ask for more than it was started with.
      const auto least = [&](rlim_t limit) {
        return limit < real.rlim_max ? limit : real.rlim_max;
      };
      const rlimit highest{least(higher.rlim_cur), least(higher.rlim_max)};
      error = set_limit(resource, &highest, nullptr);
    }
    if (error) return error;
    asked = {true, *wanted};
  }
  if (old) *old = before;
  return 0;
}

void OwnLimits::hand_back() const {
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA}) {
    const Asked& asked = asked_[place_of(resource)];
    if (asked.is_known) set_limit(resource, &asked.limit, nullptr);
  }
}

}  // namespace unravel
