/// The registers from which the driver unwinds a thread that stands still.
#pragma once

#include "wire/control.hpp"

namespace unravel::os {

/// Saves what a caller's caller would need restored, as of this function's return. The frame
/// that calls it must stay until the registers are no longer needed.
extern "C" __attribute__((visibility("hidden"))) void unravel_save_registers(
    wire::Registers* registers);

}  // namespace unravel::os
