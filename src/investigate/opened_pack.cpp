#include "investigate/opened_pack.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/text.hpp"
#include "data/input_log.hpp"
#include "investigate/pack_file.hpp"
#include "investigate/recorded_inputs.hpp"
#include "run/launch.hpp"
#include "run/sandbox_stand_ins.hpp"

// Since Linux 5.11; older headers do not have them.
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#endif

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRuntime = "libunravel-rt.so";

/// Makes the directory for what the program is to see, if there is none yet.
Result<RecordedFiles*> files_of(const OpenedRun& opened) {
  if (!opened.files) {
    Result<std::unique_ptr<RecordedFiles>> made = RecordedFiles::make(opened.store.directory());
    if (!made) return fail(made.error());
    opened.files = std::move(*made);
  }
  opened.files->use();
  return opened.files.get();
}

/// A packed run names a command that judges runs. It may do anything, as the program may.
Result<void> check_oracle(const OpenedRun& opened, const Judging& judge) {
  const std::vector<std::string>& oracle = opened.stored.settings.oracle;
  if (oracle.empty() || judge.oracle || opened.name.trusts_program) return {};
  return user_error(
      opened.name.text + " names a command that judges the run, and it is not started",
      "the command is: " + clean(oracle.back()),
      "if you trust the file, add --trust-program; `unravel replay --oracle COMMAND` uses another");
}

/// These variables name code that the loader puts into the program.
Result<void> check_variables(const OpenedRun& opened, const RunnerRequest& request) {
  if (!request.environment || opened.name.trusts_program) return {};
  for (const std::string& variable : request.environment->variables) {
    if (!variable.starts_with("LD_")) continue;
    return user_error(opened.name.text + " sets " + clean(variable.substr(0, variable.find('='))) +
                          ", and its program is not started",
                      "the variable names code to load: " + clean(variable),
                      "if you trust the file, add --trust-program");
  }
  return {};
}

/// The path of the runtime is part of the environment, and may have another length here. The last
/// blank makes up for it, so the program's stack stays where it was.
void keep_stack_in_place(RunnerRequest& request) {
  if (!request.environment || !request.like) return;
  for (const ModuleId& module : request.like->modules) {
    if (fs::path(module.path).filename() != kRuntime) continue;
    const bool is_tsan = fs::path(module.path).parent_path().filename() == "tsan";
    const Result<std::string> now =
        find_runtime(is_tsan ? RuntimeFor::kThreadSanitizerBuild : RuntimeFor::kAny);
    if (!now || now->size() == module.path.size()) return;
    auto stretched = std::make_shared<Environment>(*request.environment);
    const auto difference =
        static_cast<std::int64_t>(module.path.size()) - static_cast<std::int64_t>(now->size());
    if (stretch_blank(*stretched, difference)) request.environment = std::move(stretched);
    return;
  }
}

/// The text that the program's output has to be came with the run.
Result<void> take_expected_output(const OpenedRun& opened, const Judging& judge,
                                  RunnerRequest& request) {
  if (opened.stored.settings.expected_output.empty() || judge.expected_output) return {};
  if (!opened.expected_output) {
    return user_error("the expected output of " + opened.name.text + " was not packed",
                      "it could not be read then",
                      "name a file with it: `unravel replay --expect-output FILE`");
  }
  request.expected_output = opened.expected_output;
  return {};
}

}  // namespace

Result<OpenedRun> open_pack(const RunName& name, const std::string& store) {
  Result<PackedRun> packed = read_pack(name.text);
  if (!packed) return fail(packed.error());
  packed->run.id = name.text;
  StoredRun stored{.run = std::move(packed->run),
                   .settings = std::move(packed->settings),
                   .created = packed->created};
  Result<Store> around = Store::around({stored, std::move(packed->input)}, store);
  if (!around) return fail(around.error());
  OpenedRun opened{.store = std::move(*around),
                   .stored = std::move(stored),
                   .name = name,
                   .is_packed = true,
                   .has_program = !packed->files.empty(),
                   .expected_output = std::move(packed->expected_output)};
  const Result<void> placed = place_program(opened, packed->files);
  if (!placed) return fail(placed.error());
  return opened;
}

Result<void> place_program(OpenedRun& opened, const std::vector<PackedFile>& packed) {
  const RunName& name = opened.name;
  if (name.trusts_program && packed.empty() && name.program.empty()) {
    return user_error(name.text + " does not contain its program",
                      "it was packed without --with-program",
                      "name the program with --program PATH");
  }
  if (!name.trusts_program && name.program.empty()) return {};
  const Result<RecordedFiles*> files = files_of(opened);
  if (!files) return fail(files.error());
  if (name.trusts_program) {
    for (const PackedFile& file : packed) {
      if (const Result<void> added = (*files)->add(file.path, file.content); !added) return added;
    }
  }
  if (name.program.empty()) return {};
  const Result<Program> found = find_program({(fs::path(".") / name.program).string()});
  if (!found) return fail(found.error());
  const Result<std::string> content = read_text_file(found->path);
  if (!content) return fail(content.error());
  return (*files)->add(opened.stored.run.program.path, *content);
}

Result<void> prepare_packed(const OpenedRun& opened, const Judging& judge, RunnerRequest& request) {
  for (const Result<void>& good : {check_oracle(opened, judge), check_variables(opened, request),
                                   take_expected_output(opened, judge, request)}) {
    if (!good) return good;
  }
  keep_stack_in_place(request);
  // The sender's program must not change files here. Only inputs that were not recorded need what
  // is outside the sandbox.
  request.forces_sandbox = usable(opened.stored.run.inputs) != nullptr;
  // The same checks as for a program that the user names; a setuid program, for instance, would
  // run without us.
  const Result<Program> controlled = find_program({request.program.path});
  if (!controlled) return fail(controlled.error());
  if (can_enter(request.program.directory)) return {};
  const Result<RecordedFiles*> files = files_of(opened);
  if (!files) return fail(files.error());
  return (*files)->add_directory(request.program.directory);
}

Result<void> check_kernel(const OpenedRun& opened, const InputLog& inputs) {
  if (!inputs.has_calls()) return {};
  if (::prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0) == 0) return {};
  return environment_error(
      "this kernel cannot repeat run " + opened.stored.run.id,
      "its record has files and system calls, which needs syscall user dispatch",
      "use Linux 5.11 or newer; `unravel replay --inputs live` takes the inputs of this machine");
}

Error other_build_error(const OpenedRun& opened, const OtherBuild& other) {
  const ModuleId& recorded = other.recorded;
  const std::string file =
      other.is_program && !opened.name.program.empty() ? opened.name.program : recorded.path;
  const std::string run = opened.is_packed ? opened.name.text : "run " + opened.stored.run.id;
  Error error{Error::Kind::kUser, {}, {}, {}};
  error.what = clean(file) + " is not the " + (other.is_program ? "program" : "library") +
               " that " + run + " was recorded with";
  error.why = other.now ? "its build id is " + *other.now + ", and that of the recorded one is " +
                              recorded.build_id
                        : "there is no such file here, or it has no build id; that of the recorded "
                          "one is " +
                              recorded.build_id;
  if (opened.has_program && !opened.name.trusts_program) {
    error.hint = "the recorded one is in " + run + ": if you trust the file, add --trust-program";
  } else if (other.is_program) {
    error.hint = "name the recorded one with --program PATH";
  } else {
    error.hint =
        "pack the run again with --with-program, where its libraries are; or `unravel "
        "replay --lenient` follows the schedule as far as possible";
  }
  return error;
}

}  // namespace unravel
