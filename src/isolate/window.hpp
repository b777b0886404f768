/// How far one switch of a failing run can be moved, with all others in place, before the failure
/// disappears. Each of the two edges is found by doubling steps, then by bisection.
#pragma once

#include "isolate/isolate.hpp"

namespace unravel {

struct SwitchWindow {
  // The runs at both edges, both failing, and the slices that the switch ends there.
  KnownRun first;
  KnownRun last;
  std::optional<std::uint32_t> first_slice;
  std::optional<std::uint32_t> last_slice;
  std::uint64_t points = 0;  // from the first edge to the last
  std::uint64_t tests = 0;
};

/// The window of the switch `index`, as long as it leaves the same thread. If limits stop the
/// search for an edge, the edge is the farthest count found.
Result<SwitchWindow> find_window(Laboratory& laboratory, const KnownRun& failing, std::size_t index,
                                 const ExperimentLimits& limits);

}  // namespace unravel
