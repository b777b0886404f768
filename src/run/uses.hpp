/// What a program uses that is not controlled, told from its files before it runs.
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

/// These files, each once; what cannot be read or is no ELF file asks for nothing.
std::vector<LinkedFile> read_links(std::span<const std::string> paths);

/// A program and the libraries that it asks for itself, as far as they are found.
std::vector<LinkedFile> program_links(const std::string& path);

/// What in them is not controlled. `preloaded` is what LD_PRELOAD says.
std::vector<Concern> concerns_about(std::span<const LinkedFile> files, std::string_view preloaded);

/// For a program that has created no thread: are its threads perhaps in another process?
std::optional<Concern> concern_about_children(std::span<const LinkedFile> files);

/// For a run that had one thread: there was nothing to control.
Concern concern_about_one_thread(const Run& run);

/// Whether one of these files was compiled with hooks at memory accesses.
bool have_hooks(std::span<const LinkedFile> files);
/// Likewise of what a run had loaded: a wrapper becomes another program.
bool have_hooks(const std::vector<ModuleId>& modules);

/// Whether a program may become another one before its first thread: a script, or what calls exec.
bool may_become_another(const Program& program);

/// Functions that these files call and whose answers may differ from run to run.
std::vector<std::string> varying_calls(std::span<const LinkedFile> files);

/// Functions that these files call and that tell the dates of files.
std::vector<std::string> dating_calls(std::span<const LinkedFile> files);

/// One line for each concern about a program that is certain, for a run's warnings.
std::vector<std::string> warnings_about(const Program& program);

}  // namespace unravel
