#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/files.hpp"
#include "base/stand_ins.hpp"
#include "run/elf.hpp"
#include "run/mapped_file.hpp"
#include "run/runner.hpp"
#include "run/uses.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool can_execute(const fs::path& path) {
  return is_file(path) && ::access(path.c_str(), X_OK) == 0;
}

/// The file that a shell would start for `name`, or nothing.
std::optional<fs::path> find_in_path(const std::string& name) {
  const char* variable = std::getenv("PATH");
  const std::string places = variable ? variable : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= places.size();) {
    const std::size_t end = std::min(places.find(':', begin), places.size());
    fs::path candidate = places.substr(begin, end - begin);
    if (candidate.empty()) candidate = ".";  // a shell treats an empty entry like this
    candidate /= name;
    if (can_execute(candidate)) return candidate;
    begin = end + 1;
  }
  return std::nullopt;
}

Result<fs::path> locate(const std::string& name) {
  if (name.empty()) return user_error("the program's name is empty");
  if (name.find('/') != std::string::npos) return name;
  if (auto found = find_in_path(name)) return *found;
  return user_error(
      "program '" + name + "' was not found", "it is in no directory of PATH",
      is_file(name) ? "did you mean './" + name + "'?" : "give its path, or check the spelling");
}

Result<void> refuse_what_cannot_be_started(const std::string& path) {
  struct stat status;
  const std::string file = file_for(path);
  if (::stat(file.c_str(), &status) != 0) {
    if (errno == ENOENT) {
      return user_error("program '" + path + "' was not found", "there is no such file",
                        "check the path, or build it first");
    }
    return fail(file_error("start", path, errno));
  }
  if (S_ISDIR(status.st_mode)) {
    return user_error("'" + path + "' is a directory", "", "name a program in it");
  }
  if (!S_ISREG(status.st_mode)) return user_error("'" + path + "' is not a regular file");
  if (::access(file.c_str(), X_OK) != 0) {
    return user_error("'" + path + "' may not be executed", "its permissions do not allow it",
                      "if it is a program: chmod +x '" + path + "'");
  }
  if (status.st_mode & (S_ISUID | S_ISGID)) {
    return user_error("'" + path + "' is setuid or setgid",
                      "the loader ignores what is injected into such programs",
                      "run a copy without that permission: cp, then chmod ug-s");
  }
  return {};
}

/// Refuses checkers that replace the thread functions themselves: only one library can be first.
Result<void> refuse_sanitizers(const std::string& path, std::span<const std::byte> bytes) {
  const auto sanitizer = sanitizer_of(bytes);
  if (!sanitizer) return {};
  if (sanitizer->name == kThreadSanitizer) {
    // We can answer ThreadSanitizer's hooks, unless its runtime is linked in and answers them.
    const auto needed = links_of(bytes).needed;
    const bool brings_own = std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
      return name.starts_with("libclang_rt.tsan");
    });
    if (!sanitizer->inside && !brings_own) return {};
    return user_error("'" + path + "' brings a ThreadSanitizer library of its own",
                      "its hooks and thread functions are answered there and cannot be replaced",
                      "relink it: with GCC without -static-libtsan, with Clang by unravel-c++ "
                      "(UNRAVEL_CXX=clang++ unravel-c++ ...)");
  }
  return user_error(
      "'" + path + "' is built with " + std::string(sanitizer->name),
      sanitizer->inside
          ? "its own versions of the thread functions are linked into the program and "
            "stand before ours, so that its threads cannot be controlled"
          : "its runtime insists on being loaded first, and so does ours",
      "rebuild it without " + std::string(sanitizer->option) +
          ", in a build directory of its own; what unravel finds there can be "
          "looked at with the other build");
}

enum class Scripts { kAllowed, kRefused };

Result<void> refuse_what_cannot_be_controlled(const std::string& path, Scripts scripts) {
  if (auto startable = refuse_what_cannot_be_started(path); !startable) return startable;
  // The kernel can start programs that are not readable, but we could not examine them.
  const auto file = MappedFile::open(path);
  if (!file) return fail(file.error());

  // Checked first: the advice for static programs would not help here.
  if (is_go(file->bytes())) {
    return user_error("'" + path + "' is a Go program",
                      "Go schedules its goroutines itself, and starts its threads without the C "
                      "library: neither can be controlled",
                      "unravel is for C and C++; Go has its own race detector, `go test -race`");
  }
  const FileKind kind = file_kind(file->bytes());
  switch (kind.is) {
    case FileKind::Is::kDynamic: return refuse_sanitizers(path, file->bytes());
    case FileKind::Is::kStatic:
      return user_error("'" + path + "' is statically linked",
                        "its threads can only be controlled through a shared C library",
                        "relink it without -static");
    case FileKind::Is::kLibrary:
      return user_error("'" + path + "' is a library or object file, not a program", "",
                        "name the program that uses it");
    case FileKind::Is::kOtherMachine:
      return user_error("'" + path + "' is for another machine",
                        "only 64-bit x86 programs can be controlled",
                        "rebuild it for x86-64, without -m32");
    case FileKind::Is::kScript:
      if (scripts == Scripts::kRefused || kind.interpreter.empty()) {
        return user_error("'" + path + "' is a script whose interpreter is a script", "",
                          "name the program itself");
      }
      return refuse_what_cannot_be_controlled(kind.interpreter, Scripts::kRefused);
    case FileKind::Is::kUnknown: break;
  }
  return user_error("'" + path + "' is neither an ELF program nor a script",
                    "its first bytes say so", "a script needs a first line such as #!/bin/sh");
}

}  // namespace

Instrumentation instrumentation_of(const Program& program) {
  Instrumentation found;
  for (const LinkedFile& file : program_links(program.path)) {
    const auto& imports = file.links.imports;
    const auto& needed = file.links.needed;
    const auto has = [&imports](std::string_view name) {
      return std::find(imports.begin(), imports.end(), name) != imports.end();
    };
    found.has_hooks = found.has_hooks || has("__tsan_init");
    found.has_blocks = found.has_blocks || has("__sanitizer_cov_trace_pc") ||
                       has("__sanitizer_cov_trace_pc_guard");
    found.loads_libraries = found.loads_libraries || has("dlopen") || has("dlmopen");
    found.asks_for_library = found.asks_for_library ||
                             std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
                               return name.starts_with("libtsan.so");
                             });
  }
  return found;
}

Result<Program> find_program(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    return user_error("no program was named", "",
                      "put it behind --, as in: unravel hunt -- ./prog");
  }
  const auto located = locate(arguments[0]);
  if (!located) return fail(located.error());

  std::error_code error;
  const fs::path directory = fs::current_path(error);
  if (error) return environment_error("the working directory is gone", error.message());
  fs::path path = directory / *located;
  // "a/../b" is not "b" if a is a link.
  if (std::find(path.begin(), path.end(), "..") == path.end()) path = path.lexically_normal();
  if (auto controlled = refuse_what_cannot_be_controlled(path.string(), Scripts::kAllowed);
      !controlled) {
    return fail(controlled.error());
  }
  return Program{.arguments = arguments, .path = path.string(), .directory = directory.string()};
}

}  // namespace unravel
