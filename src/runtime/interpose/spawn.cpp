/// Starting other programs. They are not controlled, and get the signals and the environment that
/// the program would have given them.
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/interpose/descriptor.hpp"
#include "runtime/interpose/make_process.hpp"
#include "runtime/interpose/pass_through.hpp"
#include "runtime/os/real.hpp"
#include "runtime/process/child_environment.hpp"

namespace unravel {

namespace {

/// Attributes for a process that begins with the signal mask of its creator.
posix_spawnattr_t with_mask(const posix_spawnattr_t* attributes, const Thread& self) {
  posix_spawnattr_t own{};
  if (attributes) own = *attributes;
  if (own.__flags & POSIX_SPAWN_SETSIGMASK) return own;
  own.__flags = static_cast<short>(own.__flags | POSIX_SPAWN_SETSIGMASK);
  own.__ss = set_of(self.signals.mask);
  return own;
}

/// Either of the two posix_spawn functions; `program` is a path, or a name to search for.
template <class Function>
int spawn(Thread& self, const void* site, Function& function, pid_t* child, const char* program,
          const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
          char* const arguments[], char* const environment[]) {
  const posix_spawnattr_t masked = with_mask(attributes, self);
  int error = 0;
  make_process(self, site, [&] {
    const ChildEnvironment own(environment);
    pid_t made = 0;
    error = function(&made, program, actions, &masked, arguments, own.entries());
    if (error) return -1;
    if (child) *child = made;
    return made;
  });
  return error;
}

int spawn_shell(Thread& self, const void* site, pid_t* child, const char* command,
                const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes) {
  const char* arguments[] = {"sh", "-c", command, nullptr};
  return spawn(self, site, real::posix_spawn, child, "/bin/sh", actions, attributes,
               const_cast<char* const*>(arguments), environ);
}

/// Returns the child's status, whatever signals come meanwhile.
int reap(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) == -1) {
    if (errno != EINTR) return -1;
  }
  return status;
}

/// What system() does besides running the command: the caller ignores SIGINT and SIGQUIT. They are
/// restored afterwards, and also when the caller is cancelled, which ends the command.
class CommandSignals : public CancelUndo {
 public:
  explicit CommandSignals(Thread& self)
      : CancelUndo{[](CancelUndo& undo) { static_cast<CommandSignals&>(undo).end_command(); }},
        self_(self),
        mask_(self.signals.mask) {
    Signals& signals = runtime().signals();
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    signals.set_action(SIGINT, &ignored, &interrupt_);
    signals.set_action(SIGQUIT, &ignored, &quit_);
  }

  /// For the command: the signals as they were before.
  [[nodiscard]] posix_spawnattr_t attributes() const {
    posix_spawnattr_t attributes = with_mask(nullptr, self_);
    attributes.__flags = static_cast<short>(attributes.__flags | POSIX_SPAWN_SETSIGDEF);
    attributes.__sd = set_of((interrupt_.sa_handler == SIG_IGN ? 0 : signal_bit(SIGINT)) |
                             (quit_.sa_handler == SIG_IGN ? 0 : signal_bit(SIGQUIT)));
    return attributes;
  }

  int await(pid_t child) {
    child_ = child;
    self_.cancel.undo = this;
    const int status = reap(child);
    self_.cancel.undo = nullptr;
    return status;
  }

  void restore() {
    Signals& signals = runtime().signals();
    signals.set_action(SIGINT, &interrupt_, nullptr);
    signals.set_action(SIGQUIT, &quit_, nullptr);
    signals.replace_mask(self_, mask_);
  }

 private:
  void end_command() {
    os::call(SYS_kill, child_, SIGKILL);
    reap(child_);
    restore();
  }

  Thread& self_;
  std::uint64_t mask_;
  struct sigaction interrupt_ {};
  struct sigaction quit_ {};
  pid_t child_ = 0;
};

/// Like system(), but other threads go on while the command runs.
int run_command(Thread& self, const char* command, const void* site) {
  CommandSignals signals(self);
  const posix_spawnattr_t attributes = signals.attributes();
  self.signals.mask |= signal_bit(SIGCHLD);
  pid_t child = 0;
  const int error = spawn_shell(self, site, &child, command, nullptr, &attributes);
  const int status = error ? 127 << 8 : signals.await(child);  // as if the shell was not found
  signals.restore();
  if (self.signals.has_deliverable()) runtime().signals().handle(self);
  return status;
}

/// Like popen(), but closing the stream does not wait in the kernel.
FILE* open_command(Thread& self, Outsiders::Piped& place, const char* command, bool reads,
                   bool keeps, const void* site) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  const int own = ends[reads ? 0 : 1];
  const int other = ends[reads ? 1 : 0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, other, reads ? STDOUT_FILENO : STDIN_FILENO);
  // The child must not keep earlier pipes open.
  for (int index = 0; index < Outsiders::kMostPiped; ++index) {
    const Outsiders::Piped& one = runtime().outsiders().piped(index);
    if (one.stream) posix_spawn_file_actions_addclose(&actions, one.descriptor);
  }
  pid_t child = 0;
  const int error = spawn_shell(self, site, &child, command, &actions, nullptr);
  posix_spawn_file_actions_destroy(&actions);
  close(other);
  FILE* stream = error ? nullptr : fdopen(own, reads ? "r" : "w");
  if (!stream) {
    close(own);
    if (error) errno = error;
    return nullptr;
  }
  if (keeps) os::call(SYS_fcntl, own, F_SETFD, 0);
  place = {.stream = stream, .descriptor = own, .child = child};
  return stream;
}

}  // namespace

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT int posix_spawn(pid_t* pid, const char* path,
                               const posix_spawn_file_actions_t* actions,
                               const posix_spawnattr_t* attributes, char* const arguments[],
                               char* const environment[]) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::posix_spawn, pid, path, actions, attributes, arguments,
                        environment);
  return spawn(*self, UNRAVEL_SITE, real::posix_spawn, pid, path, actions, attributes, arguments,
               environment);
}

UNRAVEL_EXPORT int posix_spawnp(pid_t* pid, const char* file,
                                const posix_spawn_file_actions_t* actions,
                                const posix_spawnattr_t* attributes, char* const arguments[],
                                char* const environment[]) {
  Thread* self = controlled_thread();
  if (!self)
    return pass_through(UNRAVEL_SITE, real::posix_spawnp, pid, file, actions, attributes, arguments,
                        environment);
  return spawn(*self, UNRAVEL_SITE, real::posix_spawnp, pid, file, actions, attributes, arguments,
               environment);
}

UNRAVEL_EXPORT int system(const char* command) {
  Thread* self = controlled_thread();
  if (!self) return pass_through(UNRAVEL_SITE, real::system, command);
  if (!command) return 1;  // there is a shell
  return run_command(*self, command, UNRAVEL_SITE);
}

UNRAVEL_EXPORT FILE* popen(const char* command, const char* mode) {
  Thread* self = controlled_thread();
  Outsiders::Piped* place = self ? runtime().outsiders().find_piped(nullptr) : nullptr;
  const bool reads = mode[0] == 'r';
  const bool valid = (reads || mode[0] == 'w') && (!mode[1] || (mode[1] == 'e' && !mode[2]));
  if (!place || !valid) return real::popen(command, mode);
  return open_command(*self, *place, command, reads, !mode[1], UNRAVEL_SITE);
}

UNRAVEL_EXPORT int pclose(FILE* stream) {
  const bool controlled = controlled_thread() && stream;
  Outsiders::Piped* place = controlled ? runtime().outsiders().find_piped(stream) : nullptr;
  if (!place) return real::pclose(stream);
  const pid_t child = place->child;
  *place = {};
  fclose(stream);
  return reap(child);
}
