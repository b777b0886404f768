/// The program is replaced by another one. Before its first thread we are loaded into the new
/// program too, and go on. Later we cannot, and the end of the new program says nothing about this
/// one.
#include <alloca.h>
#include <stdarg.h>
#include <unistd.h>

#include <cstring>

#include "runtime/interpose/beats.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/child_environment.hpp"

namespace unravel {
namespace {

using Kind = wire::LastWords::Kind;

constexpr char kReplaced[] =
    "the run went on as another program, which is not controlled: it called exec";

/// While this lives, the kernel's signal mask is the program's own, which the next program
/// inherits, and the run is recorded as unresolved. It is destroyed only if exec fails.
class Replacing {
 public:
  explicit Replacing(Thread& self) {
    runtime().signals().fetch();
    os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&self.signals.mask),
             os::as_argument(&mask_), sizeof mask_);
    wire::LastWords& words = runtime().control().last_words;
    const bool has_run = runtime().control().mode.load() != wire::Mode::kNotYet;
    if (!has_run || words.kind != Kind::kNothing) return;
    recorded_ = true;
    words.kind = scheduler().run().last_words = Kind::kUnresolved;
    std::strncpy(words.text, kReplaced, sizeof words.text - 1);
  }
  ~Replacing() {
    os::call(SYS_rt_sigprocmask, SIG_SETMASK, os::as_argument(&mask_), 0, sizeof mask_);
    if (!recorded_) return;
    wire::LastWords& words = runtime().control().last_words;
    words.kind = scheduler().run().last_words = Kind::kNothing;
    words.text[0] = '\0';
  }
  Replacing(const Replacing&) = delete;
  Replacing& operator=(const Replacing&) = delete;

 private:
  std::uint64_t mask_ = 0;
  bool recorded_ = false;
};

/// `call` gets the environment of the next program. In a child that the program made, nothing of
/// ours is passed on.
template <class Call>
int replace(char* const environment[], Call call) {
  if (Thread* self = controlled_thread()) {
    const Replacing replacing(*self);
    return call(environment);
  }
  if (!is_in_child()) return call(environment);
  runtime().own_limits().hand_back();
  if (!environment) return call(environment);
  // On the stack: in a child of vfork, any other memory would stay allocated in its parent.
  void* memory = alloca(stripped_size(environment));
  return call(strip_into(environment, memory));
}

/// How many places the arguments take, including the final null, up to which `rest` is read.
std::size_t places_for(const char* first, va_list rest) {
  std::size_t count = 1;
  for (const char* argument = first; argument; argument = va_arg(rest, const char*)) ++count;
  return count;
}

/// Fills `arguments` from that list.
void gather(char** arguments, const char* first, va_list rest) {
  const char* argument = first;
  for (; argument; argument = va_arg(rest, const char*)) {
    *arguments++ = const_cast<char*>(argument);
  }
  *arguments = nullptr;
}

}  // namespace
}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int execv(const char* path, char* const arguments[]) noexcept {
  return replace(environ, [&](char* const* own) { return real::execve(path, arguments, own); });
}

UNRAVEL_EXPORT int execve(const char* path, char* const arguments[],
                          char* const environment[]) noexcept {
  return replace(environment, [&](char* const* own) { return real::execve(path, arguments, own); });
}

UNRAVEL_EXPORT int execvp(const char* file, char* const arguments[]) noexcept {
  return replace(environ, [&](char* const* own) { return real::execvpe(file, arguments, own); });
}

UNRAVEL_EXPORT int execvpe(const char* file, char* const arguments[],
                           char* const environment[]) noexcept {
  return replace(environment,
                 [&](char* const* own) { return real::execvpe(file, arguments, own); });
}

UNRAVEL_EXPORT int fexecve(int file, char* const arguments[], char* const environment[]) noexcept {
  return replace(environment,
                 [&](char* const* own) { return real::fexecve(file, arguments, own); });
}

UNRAVEL_EXPORT int execveat(int directory, const char* path, char* const arguments[],
                            char* const environment[], int flags) noexcept {
  return replace(environment, [&](char* const* own) {
    return real::execveat(directory, path, arguments, own, flags);
  });
}

UNRAVEL_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  auto** arguments = static_cast<char**>(alloca(places_for(first, list) * sizeof(char*)));
  va_end(list);
  va_start(list, first);
  gather(arguments, first, list);
  va_end(list);
  return execv(path, arguments);
}

UNRAVEL_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  auto** arguments = static_cast<char**>(alloca(places_for(first, list) * sizeof(char*)));
  va_end(list);
  va_start(list, first);
  gather(arguments, first, list);
  va_end(list);
  return execvp(file, arguments);
}

UNRAVEL_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  auto** arguments = static_cast<char**>(alloca(places_for(first, list) * sizeof(char*)));
  va_end(list);
  va_start(list, first);
  gather(arguments, first, list);
  char* const* environment = va_arg(list, char* const*);
  va_end(list);
  return replace(environment, [&](char* const* own) { return real::execve(path, arguments, own); });
}
