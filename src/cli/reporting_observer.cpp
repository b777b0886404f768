#include "cli/reporting_observer.hpp"

#include <poll.h>

namespace unravel {

void ReportingObserver::wait(int milliseconds) {
  pollfd interruption{.fd = descriptor(), .events = POLLIN, .revents = 0};
  ::poll(&interruption, 1, milliseconds);
}

}  // namespace unravel
