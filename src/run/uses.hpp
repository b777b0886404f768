/// Uncontrolled things that a program uses, found in its files before it runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/checkup.hpp"
#include "run/elf.hpp"

namespace unravel {

struct LinkedFile {
  std::string path;
  ElfLinks links;
};

/// Reads these files, each once. A file that cannot be read, or is not ELF, has no links.
std::vector<LinkedFile> read_links(std::span<const std::string> paths);

/// A program and the libraries that it needs directly, if they are found.
std::vector<LinkedFile> program_links(const std::string& path);

/// What in them is not controlled. `preloaded` is the value of LD_PRELOAD.
std::vector<Concern> concerns_about(std::span<const LinkedFile> files, std::string_view preloaded);

/// For a program that has created no thread: its threads may be in another process.
std::optional<Concern> concern_about_children(std::span<const LinkedFile> files);

/// For a run with one thread: there was nothing to control.
Concern concern_about_one_thread(const Run& run);

/// Whether one of these files was compiled with hooks at memory accesses.
bool have_hooks(std::span<const LinkedFile> files);
/// The same for the files that a run had loaded: a wrapper may start another program.
bool have_hooks(const std::vector<ModuleId>& modules);

/// Whether a program may become another one before its first thread: a script, or a program that
/// calls exec.
bool may_become_another(const Program& program);

/// Functions that these files call and whose results may differ from run to run.
std::vector<std::string> varying_calls(std::span<const LinkedFile> files);

/// Functions that these files call and that return dates of files.
std::vector<std::string> dating_calls(std::span<const LinkedFile> files);

/// One line for each certain concern about a program, for a run's warnings.
std::vector<std::string> warnings_about(const Program& program);

}  // namespace unravel
