#include "investigate/pack.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "base/stand_ins.hpp"
#include "base/text.hpp"
#include "data/input_log.hpp"
#include "investigate/build_ids.hpp"
#include "investigate/pack_file.hpp"
#include "investigate/recorded_inputs.hpp"
#include "investigate/stored_run.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRuntime = "libunravel-rt.so";

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

/// Chooses the variables to pack, and blanks the others.
Result<void> pack_environment(const PackRequest& request, const OpenedRun& opened,
                              PackedRun& packed, PackedReport& report) {
  const std::string& id = opened.stored.run.id;
  const auto environment = opened.store.environment(id);
  if (!environment) return fail(environment.error());
  const std::vector<std::string> none;
  const std::vector<std::string>& all = *environment ? (*environment)->variables : none;
  for (const std::string& wanted : request.variables) {
    const bool is_set = std::any_of(all.begin(), all.end(), [&](const std::string& variable) {
      return name_of(variable) == wanted;
    });
    if (is_set) continue;
    return user_error("the variable '" + wanted + "' was not set in run " + id,
                      *environment ? "" : "the run was stored without its environment",
                      "check the spelling, or leave it out of --with-environment");
  }
  if (!*environment) return {};
  for (const std::string& variable : all) {
    const std::string name = name_of(variable);
    if (is_blank(variable)) {
      ++report.variables_left_out;
    } else if (std::find(request.variables.begin(), request.variables.end(), name) !=
               request.variables.end()) {
      report.variables.push_back(name);
    } else {
      ++report.variables_left_out;
      if (name.starts_with("LD_")) report.loader_variables.push_back(name);
    }
  }
  packed.run.environment =
      std::make_shared<const Environment>(with_blanks(**environment, request.variables));
  return {};
}

Result<void> pack_inputs(const OpenedRun& opened, PackedRun& packed, PackedReport& report) {
  const std::string& id = opened.stored.run.id;
  Result<std::string> input = opened.store.input(id);
  if (!input) return fail(input.error());
  packed.input = std::move(*input);
  auto inputs = opened.store.inputs(id);
  if (!inputs) return fail(inputs.error());
  packed.run.inputs = std::move(*inputs);
  if (usable(packed.run.inputs)) {
    const std::optional<InputTotals> totals = totals_of(packed.run.inputs->words);
    report.has_inputs = true;
    report.input_bytes = totals ? totals->bytes : 0;
  } else if (asks_outside(packed.run.schedule)) {
    report.why_no_inputs = packed.run.inputs && !packed.run.inputs->incomplete.empty()
                               ? packed.run.inputs->incomplete
                               : "they were not recorded";
  }
  const std::string& expected = opened.stored.settings.expected_output;
  if (opened.is_packed) {
    packed.expected_output = opened.expected_output;
  } else if (!expected.empty()) {
    // If it cannot be read now, the run can be shown elsewhere, and replayed with another file.
    if (Result<std::string> text = read_text_file(expected)) {
      packed.expected_output = std::move(*text);
    }
  }
  return {};
}

Result<void> add_file(const std::string& path, PackedRun& packed) {
  std::error_code error;
  // The loader's name of a library may go through links of directories, and up by `..`.
  const fs::path folder = fs::weakly_canonical(fs::path(path).parent_path(), error);
  const std::string plain =
      ((error ? fs::path(path).parent_path() : folder) / fs::path(path).filename()).string();
  const bool is_there = std::any_of(packed.files.begin(), packed.files.end(),
                                    [&](const PackedFile& file) { return file.path == plain; });
  if (is_there) return {};
  Result<std::string> content = read_text_file(file_for(path));
  if (!content) return fail(content.error());
  packed.files.push_back({.path = plain, .content = std::move(*content)});
  return {};
}

/// The program and all libraries that the run had loaded, as they were.
Result<void> pack_program(const OpenedRun& opened, PackedRun& packed) {
  const Run& run = opened.stored.run;
  if (const std::optional<OtherBuild> other = find_other_build(run.schedule)) {
    return user_error(
        other->recorded.path + (other->now ? " was rebuilt since run " : " is gone since run ") +
            run.id + " was recorded",
        "only the recorded build can repeat the run",
        other->is_program ? "name the recorded one with --program PATH, or leave out --with-program"
                          : "leave out --with-program");
  }
  // The path that was started may be a link, or a script.
  if (const Result<void> added = add_file(run.program.path, packed); !added) return added;
  for (const ModuleId& module : run.schedule.modules) {
    const bool is_file = module.path.starts_with('/');
    if (!is_file || fs::path(module.path).filename() == kRuntime) continue;
    if (const Result<void> added = add_file(module.path, packed); !added) return added;
  }
  return {};
}

}  // namespace

Result<PackedReport> pack(const PackRequest& request) {
  const Result<OpenedRun> opened = open_run(request.run, request.store);
  if (!opened) return fail(opened.error());
  PackedReport report{.run = opened->stored.run.id, .file = request.file};
  PackedRun packed{.run = opened->stored.run,
                   .settings = opened->stored.settings,
                   .created = opened->stored.created};
  packed.run.environment = nullptr;
  if (const Result<void> done = pack_environment(request, *opened, packed, report); !done) {
    return fail(done.error());
  }
  if (const Result<void> done = pack_inputs(*opened, packed, report); !done) {
    return fail(done.error());
  }
  if (request.with_program) {
    if (const Result<void> done = pack_program(*opened, packed); !done) return fail(done.error());
    for (const PackedFile& file : packed.files) report.files.push_back(file.path);
  }
  report.has_table = !packed.run.steps.empty();
  const Result<std::uint64_t> bytes = write_pack(request.file, packed, request.replaces);
  if (!bytes) return fail(bytes.error());
  report.bytes = *bytes;
  return report;
}

}  // namespace unravel
