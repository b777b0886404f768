/// A packed run that is opened like one of the store. What it says is done only as far as that is
/// safe, or as the user trusts it.
#pragma once

#include "investigate/build_ids.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

/// The run has the file's name as its id. What is made of it goes to `store`.
Result<OpenedRun> open_pack(const RunName& name, const std::string& store);

/// Shows the program that the user named, or the packed one if the user trusts it, at the recorded
/// path. Does nothing if the user asked for neither.
Result<void> place_program(OpenedRun& opened, const std::vector<PackedFile>& packed);

/// Completes the request for a packed run: directory, environment, expected output. Refuses what
/// the machine cannot do, and commands that the user does not trust.
Result<void> prepare_packed(const OpenedRun& opened, const Judging& judge, RunnerRequest& request);

/// An error if the kernel lacks what the recorded inputs of a run need.
Result<void> check_kernel(const OpenedRun& opened, const InputLog& inputs);

/// The error for a program or library that is not the recorded one.
Error other_build_error(const OpenedRun& opened, const OtherBuild& other);

}  // namespace unravel
