/// Whether what is read from the channel can be what the runtime wrote. Pure.
///
/// The tested program can overwrite the channel. Every enumeration that the driver switches over or
/// looks up in a table, every count and every index is checked here before it is used. Callers pass
/// copies of their own: what is still in shared memory may change after it was checked.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/control.hpp"

namespace unravel {

/// Each gives what is wrong, such as "the state of a thread", and nothing if all is well. `modules`
/// is the number of entries in the table of modules, of which sites name one.
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
