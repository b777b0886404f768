/// How far one switch of a failing run may be moved, all others staying where they are, before the
/// failure is gone: its two edges, each found by steps that double and then by halves.
#pragma once

#include "isolate/isolate.hpp"

namespace unravel {

struct SwitchWindow {
  // The runs at both edges, which fail, and the slices that the switch ends there.
  KnownRun first;
  KnownRun last;
  std::optional<std::uint32_t> first_slice;
  std::optional<std::uint32_t> last_slice;
  std::uint64_t points = 0;  // from the first to the last
  std::uint64_t tests = 0;
};

/// Of the switch of this index, as long as it is the same thread that it leaves. An edge that the
/// limits do not let it find is where it got to.
Result<SwitchWindow> find_window(Laboratory& laboratory, const KnownRun& failing, std::size_t index,
                                 const ExperimentLimits& limits);

}  // namespace unravel
