/// A simplification in words.
#pragma once

#include <string>

#include "data/explanation.hpp"
#include "report/text.hpp"

namespace unravel {

/// `41 switches (38 preemptions) became 3 (1), 4 threads 3, 120 steps 64; 22 runs, 0.1 s`.
std::string simplification_line(const Simplification& simplified);

/// `T2 is preempted at queue.cpp:48 in pop, before it reads head; T1 goes on`, a line for each.
std::string preemptions_text(const Simplification& simplified, Paint paint);

/// `fails under each of 20 schedules: not a matter of thread order`, of a failure that is not.
std::string order_line(const OrderCheck& order);

/// `queue.cpp:48 pop()`: in the program's own code, if it is there.
std::string place_text(const Place& place);

/// `, before store head`; empty if it was not about to do anything.
std::string pending_text(const Place& place);

}  // namespace unravel
