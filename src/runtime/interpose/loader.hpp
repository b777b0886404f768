/// Threads inside dlopen and dlclose.
#pragma once

namespace unravel {

/// Whether the calling thread is inside dlopen or dlclose. The loader holds a lock of its own while
/// it runs constructors and destructors of libraries. If a thread parked there, any other thread
/// that loads something would really block. May return true a little too long, never too short.
bool is_in_loader();

}  // namespace unravel
