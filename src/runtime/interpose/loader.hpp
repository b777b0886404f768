/// Threads inside dlopen and dlclose.
#pragma once

namespace unravel {

/// Whether the calling thread is inside a call of the loader's, which has a lock of its own while
/// it runs constructors and destructors of libraries. A thread that parked there would hold up any
/// other that loads something, for real. It may say so a little longer, never shorter.
bool is_in_loader();

}  // namespace unravel
