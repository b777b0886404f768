/// One kept failure, tried on the program as it is now.
#pragma once

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/stored_run.hpp"
#include "data/checked.hpp"

namespace unravel {

/// An error only if it was interrupted: other trouble is the reason why it is not applicable.
Result<Checked> try_again(OpenedRun& opened, std::uint64_t neighbours, const Console& console,
                          Interruption& interruption);

}  // namespace unravel
