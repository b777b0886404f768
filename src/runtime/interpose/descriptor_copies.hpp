/// Updates what is known of descriptors when they are copied or closed.
#pragma once

namespace unravel {

/// A descriptor is closed, or about to be. Its timer or signals are known by another of its copies
/// from now on, or not at all.
void forget_descriptor(int descriptor);

/// `copy` is the same description as `descriptor` from now on. Negative: there is no copy.
void record_copy(int descriptor, int copy);

}  // namespace unravel
