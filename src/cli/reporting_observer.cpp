#include "cli/reporting_observer.hpp"

#include <poll.h>

#include <cmath>

namespace unravel {

void ReportingObserver::waits(double seconds) {
  reporter_.note("repeating the run once more in " +
                 std::to_string(static_cast<long>(std::lround(seconds))) + " s");
}

void ReportingObserver::wait(int milliseconds) {
  pollfd interruption{.fd = descriptor(), .events = POLLIN, .revents = 0};
  ::poll(&interruption, 1, milliseconds);
}

}  // namespace unravel
