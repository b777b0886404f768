/// Cli: commands, from a parsed command line to an exit status.
///
/// Knows every room and lets each do its part. Does not know how anything is done.
#pragma once

#include "cli/console.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"

namespace unravel {

Result<int> run_command(const RunOptions& options, const Console& console,
                        Interruption& interruption);
Result<int> hunt_command(const HuntOptions& options, const Console& console,
                         Interruption& interruption);
Result<int> check_command(const CheckOptions& options, const Console& console,
                          Interruption& interruption);
Result<int> simplify_command(const SimplifyOptions& options, const Console& console,
                             Interruption& interruption);
Result<int> isolate_command(const IsolateOptions& options, const Console& console,
                            Interruption& interruption);
Result<int> replay_command(const ReplayOptions& options, const Console& console,
                           Interruption& interruption);
Result<int> list_command(const Console& console);
Result<int> show_command(const ShowOptions& options, const Console& console,
                         Interruption& interruption);
Result<int> diff_command(const DiffOptions& options, const Console& console,
                         Interruption& interruption);
Result<int> query_command(const QueryOptions& options, const Console& console,
                          Interruption& interruption);
Result<int> races_command(const RacesOptions& options, const Console& console,
                          Interruption& interruption);
Result<int> doctor_command(const DoctorOptions& options, const Console& console,
                           Interruption& interruption);

}  // namespace unravel
