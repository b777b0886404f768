/// Checks whether data from the channel can come from the runtime. Pure functions.
///
/// The tested program can overwrite the channel. Every enumeration that the driver switches over or
/// uses as an index, every count and every index is checked here before use. Callers must pass
/// their own copies: shared memory may change after it was checked.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/control.hpp"

namespace unravel {

/// Each returns what is wrong, such as "the state of a thread", or nothing. `modules` is the size
/// of the module table that sites refer to.
std::string_view fault_in(const wire::Slice& slice, std::uint32_t modules);
std::string_view fault_in(const wire::Choice& choice);
std::string_view fault_in(const wire::ClockSwitch& clock_switch);
std::string_view fault_in(const wire::Event& event, std::uint32_t modules);
std::string_view fault_in(const wire::Start& start);
std::string_view fault_in(const wire::RunSlot& slot);
std::string_view fault_in(const wire::ThreadRecord& thread);
std::string_view fault_in(const wire::Module& module);
std::string_view fault_in(const wire::LastWords& words);

}  // namespace unravel
