/// What `run` and `replay` say about a run, on the terminal or as JSON.
#pragma once

#include "cli/console.hpp"
#include "report/json.hpp"

namespace unravel {

/// The program with its arguments, for people.
std::string program_text(const Program& program);

/// The program's own output, unless --json or --quiet keeps it out.
void tell_output(const Run& run, const Console& console);

/// Outcome, failure with stacks, numbers and warnings.
void tell_outcome(const Run& run, const Console& console);

/// Of a run that the store did not take: how to see it again all the same.
void tell_schedule(const Run& run, const Console& console);
/// And why the store did not take it. Returns the exit status for that alone.
int tell_unkept(const Run& run, const Error& why, const Console& console);

/// 0, 1, 2 or 3.
int exit_status(Outcome outcome);

}  // namespace unravel
