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

/// That nothing was tested has an exit status of its own, and how to have another.
void tell_how_to_allow(const JudgeOptions& judge, const Console& console);

}  // namespace unravel
