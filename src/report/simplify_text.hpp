/// A simplification as text.
#pragma once

#include <string>

#include "data/explanation.hpp"
#include "report/text.hpp"

namespace unravel {

/// `41 switches became 3, 38 preemptions became 1, 4 threads, 120 steps became 64; 22 runs, 0.1 s`.
std::string simplification_line(const Simplification& simplified);

/// `T2 is preempted at queue.cpp:48 pop(), before load head; T1 continues`, one line for each.
std::string preemptions_text(const Simplification& simplified, Paint paint);

/// `it fails under each of 20 schedules: the order of threads does not matter`.
std::string order_line(const OrderCheck& order);

/// `queue.cpp:48 pop()`: the innermost frame in the program's own code, if there is one.
std::string place_text(const Place& place);

/// `, before store head`; empty if no operation is pending.
std::string pending_text(const Place& place);

}  // namespace unravel
