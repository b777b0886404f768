#include "run/uses.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

#include "base/stand_ins.hpp"
#include "run/mapped_file.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

using Weight = Concern::Weight;

/// A library or function that indicates something uncontrolled.
struct Known {
  enum class By { kLibrary, kFunction };

  By by;
  std::string_view prefix;
  std::string_view name;
  Weight weight;
  std::string_view meaning;
  std::string_view advice;
};

constexpr Known kKnown[] = {
    {Known::By::kLibrary, "libgomp.so", "OpenMP (GCC)", Weight::kCertain,
     "Its threads wait for each other by system calls of their own, which cannot be seen. A "
     "parallel "
     "region of two or more threads waits for ever and ends by the time limit, as unresolved.",
     "Set OMP_THREAD_LIMIT=1 to control the program's other threads. To control the parallel "
     "regions "
     "too, link a libgomp that was configured with --disable-linux-futex."},
    {Known::By::kLibrary, "libomp.so", "OpenMP (LLVM)", Weight::kPossible,
     "Its threads wait for each other in loops over memory before they use a lock. Such a loop is "
     "not a place where threads can be switched.",
     "Set KMP_BLOCKTIME=0, so that they do not loop."},
    {Known::By::kLibrary, "libiomp5.so", "OpenMP (Intel)", Weight::kPossible,
     "Its threads wait for each other in loops over memory before they use a lock. Such a loop is "
     "not a place where threads can be switched.",
     "Set KMP_BLOCKTIME=0, so that they do not loop."},
    {Known::By::kLibrary, "libtbb.so", "Threading Building Blocks", Weight::kPossible,
     "Its threads hand work to each other through atomics and loop while there is none. They are "
     "switched only where they sleep or yield, so few of their orders can be tried.",
     "Run with one thread of its own (tbb::global_control, max_allowed_parallelism 1) to control "
     "the program's other threads."},
    {Known::By::kLibrary, "libjemalloc.so", "jemalloc", Weight::kPossible,
     "If it is told to use background threads, these free memory whenever they like, and "
     "addresses differ from run to run.",
     "Set MALLOC_CONF=background_thread:false, or run without it."},
    {Known::By::kLibrary, "liburing.so", "io_uring", Weight::kCertain,
     "The kernel completes its requests whenever it likes, and they are not recorded: what the "
     "program finds done differs from run to run.",
     "Let the program use read and write while it is tested, if it has a setting for that."},
    {Known::By::kFunction, "getaddrinfo_a", "asynchronous name lookup", Weight::kPossible,
     "The C library does it in threads of its own, which are not controlled.",
     "Use getaddrinfo in a thread of the program's own."},
    {Known::By::kFunction, "svc_run", "remote procedure calls", Weight::kPossible,
     "The C library waits for them by itself, and no other thread gets its turn meanwhile.",
     "Serve them by a library of their own, such as libtirpc."},
    {Known::By::kFunction, "clnt_create", "remote procedure calls", Weight::kPossible,
     "The C library waits for answers by itself, and no other thread gets its turn meanwhile.",
     "Make them by a library of their own, such as libtirpc."},
    {Known::By::kFunction, "daemon", "daemon()", Weight::kPossible,
     "A program that puts itself into the background leaves its run, which ends with the process "
     "that was started.",
     "Run it in the foreground; most such programs have an option for that."},
};

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// The C and C++ libraries contain every function in question, and call each other's.
bool is_system_library(std::string_view path) {
  const std::string name = file_name(path);
  for (const std::string_view ours :
       {"libc.so", "libm.so", "libstdc++.so", "libgcc_s.so", "libpthread.so", "librt.so",
        "libdl.so", "ld-linux", "libunravel-rt.so", "libc++.so", "libc++abi.so"}) {
    if (name.starts_with(ours)) return true;
  }
  return false;
}

std::vector<std::string> split(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// The evidence that the program uses it; nothing if it does not.
std::optional<std::string> evidence_of(const Known& known, std::span<const LinkedFile> files,
                                       std::span<const std::string> preloaded) {
  if (known.by == Known::By::kLibrary) {
    for (const std::string& path : preloaded) {
      if (file_name(path).starts_with(known.prefix)) return "LD_PRELOAD names " + file_name(path);
    }
  }
  for (const LinkedFile& file : files) {
    if (is_system_library(file.path)) continue;
    if (known.by == Known::By::kLibrary) {
      if (file_name(file.path).starts_with(known.prefix))
        return file_name(file.path) + " is loaded";
      for (const std::string& needed : file.links.needed) {
        if (file_name(needed).starts_with(known.prefix)) {
          return file_name(file.path) + " needs " + file_name(needed);
        }
      }
      continue;
    }
    for (const std::string& import : file.links.imports) {
      // A prefix that is not a whole name ends in an underscore.
      const bool is_it =
          known.prefix.ends_with('_') ? import.starts_with(known.prefix) : import == known.prefix;
      if (is_it) return file_name(file.path) + " calls " + import;
    }
  }
  return std::nullopt;
}

std::optional<std::string> find_library(const std::string& name, const ElfLinks& links,
                                        const fs::path& origin) {
  std::vector<std::string> places = links.search;
  if (const char* variable = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string& place : split(variable, ":;")) places.push_back(std::move(place));
  }
  for (const char* place : {"/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
                            "/lib64", "/usr/lib64", "/lib", "/usr/lib"}) {
    places.emplace_back(place);
  }
  for (std::string place : places) {
    for (const std::string_view variable : {"$ORIGIN", "${ORIGIN}"}) {
      const std::size_t at = place.find(variable);
      if (at != place.npos) place.replace(at, variable.size(), origin.string());
    }
    const fs::path path = fs::path(place) / name;
    std::error_code ignored;
    if (fs::is_regular_file(file_for(path.string()), ignored)) return path.string();
  }
  return std::nullopt;
}

/// Those of `functions` that the files call, each once.
std::vector<std::string> calls_among(std::span<const LinkedFile> files,
                                     std::span<const std::string_view> functions) {
  std::vector<std::string> calls;
  for (const LinkedFile& file : files) {
    if (is_system_library(file.path)) continue;
    for (const std::string& import : file.links.imports) {
      const bool is_one = std::find(functions.begin(), functions.end(), import) != functions.end();
      if (is_one && std::find(calls.begin(), calls.end(), import) == calls.end()) {
        calls.push_back(import);
      }
    }
  }
  return calls;
}

}  // namespace

std::vector<LinkedFile> read_links(std::span<const std::string> paths) {
  std::vector<LinkedFile> files;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (path.empty() || !seen.insert(path).second) continue;
    const auto file = MappedFile::open(path);
    if (file) files.push_back({path, links_of(file->bytes())});
  }
  return files;
}

std::vector<LinkedFile> program_links(const std::string& path) {
  std::vector<LinkedFile> files = read_links(std::span(&path, 1));
  if (files.empty()) return files;
  std::vector<std::string> libraries;
  for (const std::string& name : files[0].links.needed) {
    auto found = find_library(name, files[0].links, fs::path(path).parent_path());
    if (found && !is_system_library(*found)) libraries.push_back(std::move(*found));
  }
  for (LinkedFile& library : read_links(libraries)) files.push_back(std::move(library));
  return files;
}

std::vector<Concern> concerns_about(std::span<const LinkedFile> files, std::string_view preloaded) {
  const std::vector<std::string> preloads = split(preloaded, ": ");
  std::vector<Concern> concerns;
  for (const Known& known : kKnown) {
    const bool is_told = std::any_of(concerns.begin(), concerns.end(),
                                     [&](const Concern& told) { return told.name == known.name; });
    if (is_told) continue;
    auto evidence = evidence_of(known, files, preloads);
    if (!evidence) continue;
    concerns.push_back({.name = std::string(known.name),
                        .weight = known.weight,
                        .evidence = std::move(*evidence),
                        .meaning = std::string(known.meaning),
                        .advice = std::string(known.advice)});
  }
  return concerns;
}

std::optional<Concern> concern_about_children(std::span<const LinkedFile> files) {
  for (const std::string_view function :
       {"fork", "vfork", "posix_spawn", "posix_spawnp", "system", "popen", "clone"}) {
    const Known known{
        Known::By::kFunction,
        function,
        "another process",
        Weight::kPossible,
        "The program itself has created no thread, and what it forks or starts is not "
        "controlled. Threads that live there run as the system likes.",
        "Run the other program itself. In a shell script, start it with exec."};
    auto evidence = evidence_of(known, files, {});
    if (!evidence) continue;
    return Concern{.name = std::string(known.name),
                   .weight = known.weight,
                   .evidence = std::move(*evidence),
                   .meaning = std::string(known.meaning),
                   .advice = std::string(known.advice)};
  }
  return std::nullopt;
}

Concern concern_about_one_thread(const Run& run) {
  if (run.summary.children == 0) {
    return {.name = "no second thread",
            .weight = Weight::kCertain,
            .evidence = "the program started no second thread in this run",
            .meaning =
                "There was nothing to interleave, and so nothing that could differ: runs of "
                "it test nothing.",
            .advice =
                "Give it arguments or input with which it uses threads, or run another "
                "program."};
  }
  return {.name = "another process",
          .weight = Weight::kCertain,
          .evidence = run.summary.children == 1
                          ? std::string("the program started no thread, but a child process")
                          : "the program started no thread, but " +
                                std::to_string(run.summary.children) + " child processes",
          .meaning =
              "What it forks or starts is not controlled. Threads that live there run as "
              "the system likes, and are not tested.",
          .advice =
              "Run the other program itself; in a shell script, start it with exec. If tests "
              "run in forked children, let them run in the program itself: many test "
              "frameworks have an option such as --no-fork or --no-exec."};
}

bool have_hooks(std::span<const LinkedFile> files) {
  return std::any_of(files.begin(), files.end(), [](const LinkedFile& file) {
    const auto& imports = file.links.imports;
    return std::find(imports.begin(), imports.end(), "__tsan_init") != imports.end();
  });
}

bool have_hooks(const std::vector<ModuleId>& modules) {
  std::vector<std::string> paths;
  for (const ModuleId& module : modules) paths.push_back(module.path);
  return have_hooks(read_links(paths));
}

bool may_become_another(const Program& program) {
  const auto file = MappedFile::open(program.path);
  if (file && file_kind(file->bytes()).is == FileKind::Is::kScript) return true;
  const std::vector<LinkedFile> files = program_links(program.path);
  return std::any_of(files.begin(), files.end(), [](const LinkedFile& linked) {
    const auto& imports = linked.links.imports;
    return std::any_of(imports.begin(), imports.end(), [](const std::string& name) {
      return name.starts_with("exec") || name == "fexecve";
    });
  });
}

std::vector<std::string> varying_calls(std::span<const LinkedFile> files) {
  constexpr std::string_view kVarying[] = {
      "getpid",   "getppid",  "gettid", "open",    "open64", "fopen", "fopen64",
      "openat",   "stat",     "stat64", "opendir", "read",   "recv",  "mktemp",
      "tmpnam",   "tempnam",  "getenv", "sysinfo", "statfs", "uname", "malloc_usable_size",
      "mallinfo", "mallinfo2"};
  return calls_among(files, kVarying);
}

std::vector<std::string> dating_calls(std::span<const LinkedFile> files) {
  constexpr std::string_view kDating[] = {"stat",  "stat64",  "fstat",    "fstat64",
                                          "lstat", "lstat64", "fstatat",  "fstatat64",
                                          "statx", "__xstat", "__fxstat", "__lxstat"};
  return calls_among(files, kDating);
}

std::vector<std::string> warnings_about(const Program& program) {
  const char* preloaded = std::getenv("LD_PRELOAD");
  const auto files = program_links(program.path);
  std::vector<std::string> warnings;
  for (const Concern& concern : concerns_about(files, preloaded ? preloaded : "")) {
    // What a function is used for is not known, and most uses are harmless.
    const bool is_library = concern.evidence.find(" calls ") == std::string::npos;
    if (!is_library) continue;
    warnings.push_back(concern.name + " is not " +
                       (concern.weight == Weight::kCertain ? "controlled" : "fully controlled") +
                       ": `unravel doctor` tells what that means and what to do");
  }
  return warnings;
}

}  // namespace unravel
