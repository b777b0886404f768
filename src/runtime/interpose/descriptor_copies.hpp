/// Updates what is known of descriptors when they are copied or closed.
#pragma once

namespace unravel {

struct Thread;

/// A descriptor is closed, or about to be. Its timer or signals are known by another of its copies
/// from now on, or not at all.
void forget_descriptor(int descriptor);

/// `copy` is the same description as `descriptor` from now on. Negative: there is no copy.
void record_copy(int descriptor, int copy);

/// `self` made a pipe or a pair of sockets.
void record_pair(const Thread& self, int one, int other);

}  // namespace unravel
