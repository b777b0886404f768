#include "run/gdb.hpp"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

namespace unravel {
namespace {

namespace fs = std::filesystem;

// The oldest version with all that the script uses. Tried with 13.
constexpr int kOldestGdb = 10;

constexpr const char* kInstall = "install it, for example with `apt install gdb`";

/// What gdb says about itself: "unravel-gdb 13.1".
std::string version_line() {
  constexpr const char* kAsk =
      "gdb -nx -batch -ex 'python print(\"unravel-gdb\", gdb.VERSION)' 2>&1 </dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(kAsk, "re"), ::pclose);
  std::string text;
  char bytes[512];
  while (pipe && std::fgets(bytes, sizeof bytes, pipe.get())) {
    if (text.size() < 64 * sizeof bytes) text += bytes;
  }
  return text;
}

std::optional<Error> check_gdb() {
  const std::string text = version_line();
  const std::string mark = "unravel-gdb ";
  const std::size_t found = text.find(mark);
  if (found == std::string::npos) {
    if (text.find("not found") != std::string::npos) {
      return Error{Error::Kind::kEnvironment, "gdb is not installed", "it is not in PATH",
                   kInstall};
    }
    const std::string first = text.substr(0, text.find('\n'));
    return Error{Error::Kind::kEnvironment, "this gdb has no Python",
                 first.empty() ? "it printed nothing" : "it says: " + first,
                 "install one that was built with Python, for example with `apt install gdb`"};
  }
  const std::string version = text.substr(found + mark.size());
  if (std::atoi(version.c_str()) < kOldestGdb) {
    return Error{Error::Kind::kEnvironment,
                 "this gdb is too old: version " + version.substr(0, version.find('\n')),
                 "version " + std::to_string(kOldestGdb) + " or later is needed",
                 "install a newer one"};
  }
  return std::nullopt;
}

/// Tries whether a process may be traced here, on a child of this one.
std::optional<Error> check_tracing() {
  const pid_t child = ::fork();
  if (child == 0) {
    for (;;) ::pause();
  }
  if (child < 0) return std::nullopt;  // gdb will say so
  const bool may = ::ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0;
  const int error = errno;
  ::kill(child, SIGKILL);
  while (::waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
  if (may) return std::nullopt;
  return Error{Error::Kind::kEnvironment, "a debugger may not attach to processes here",
               std::string("ptrace: ") + std::strerror(error),
               "in a container, allow it: `docker run --cap-add=SYS_PTRACE`; otherwise look at "
               "/proc/sys/kernel/yama/ptrace_scope, which may be at most 1"};
}

}  // namespace

Result<std::string> find_gdb_script() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path script =
      (self.parent_path() / "../share/unravel/gdb/unravel.py").lexically_normal();
  if (!error && fs::is_regular_file(script, error)) return script.string();
  return environment_error("the script for gdb is missing", "it should be at " + script.string(),
                           "install unravel again");
}

std::string gdb_command(const std::string& command, const std::vector<std::string>& arguments) {
  std::string text = command;
  for (const std::string& argument : arguments) {
    text += ' ';
    if (argument.empty()) text += "''";
    for (const char letter : argument) {
      const bool is_plain = std::isalnum(static_cast<unsigned char>(letter)) ||
                            std::strchr("-_./=:,+", letter) != nullptr;
      if (!is_plain) text += '\\';
      text += letter;
    }
  }
  return text;
}

bool needs_terminal(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string option = arguments[i];
    if (option.starts_with("--")) option.erase(0, 1);
    if (option == "-batch" || option == "-batch-silent") return false;
    const bool names_interpreter = option == "-i" || option == "-interpreter";
    const std::string value = names_interpreter && i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (value.starts_with("mi") || value.starts_with("dap")) return false;
    if (option.starts_with("-i=mi") || option.starts_with("-interpreter=mi")) return false;
    if (option.starts_with("-i=dap") || option.starts_with("-interpreter=dap")) return false;
  }
  return true;
}

Error become_gdb(const GdbRequest& request) {
  const Result<std::string> script = find_gdb_script();
  if (!script) return script.error();
  if (auto error = check_gdb()) return *error;
  if (auto error = check_tracing()) return *error;
  std::vector<std::string> words = {
      "gdb", "-q", "-x", *script, "-ex", gdb_command("unravel open --or-quit", request.replay)};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp("gdb", pointers.data());
  return {Error::Kind::kEnvironment, "gdb cannot be started", std::strerror(errno), kInstall};
}

}  // namespace unravel
