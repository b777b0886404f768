/// The registers from which the driver unwinds a thread that stands still.
#pragma once

#include "wire/control.hpp"

namespace unravel::os {

/// Saves the registers that the caller's caller needs, as they are when this function returns. The
/// frame that calls it must stay until the registers are no longer needed.
extern "C" __attribute__((visibility("hidden"))) void unravel_save_registers(
    wire::Registers* registers);

}  // namespace unravel::os
