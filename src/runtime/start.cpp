/// Load and exit. This is the only file that owns globals; it provides the one Runtime.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <new>

#include "runtime/interpose/allocation.hpp"
#include "runtime/interpose/caught_calls.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/string_functions.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/child_environment.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

__thread Thread* current_thread = nullptr;
constinit __thread CallStack call_stack;
constinit Countdowns countdowns;
constinit Recorder recorder;
constinit Marks marks;
constinit WrapperCode wrapper_code;
constinit bool marks_points = false;

namespace {

__thread bool has_left = false;

alignas(Runtime) char storage[sizeof(Runtime)];
Runtime* instance = nullptr;
bool is_forked_child = false;

/// The calling thread's state while a child uses its memory.
struct Lent {
  Thread* thread = nullptr;  // null: no memory is lent
  CallStack frames;
};
constinit Lent lent;

using Main = int (*)(int, char**, char**);
Main program_main = nullptr;

/// libc has not set its own environ yet when we are loaded.
bool is_asked_for(char* const* environment) {
  constexpr char kName[] = "UNRAVEL_CHANNEL=";
  for (; environment && *environment; ++environment) {
    if (std::strncmp(*environment, kName, sizeof(kName) - 1) == 0) return true;
  }
  return false;
}

void* map_channel(char* const* environment) {
  if (!is_asked_for(environment)) return nullptr;
  void* wanted = reinterpret_cast<void*>(wire::kChannelAddress);
  void* shared = mmap(wanted, wire::Layout::kShared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, wire::kChannelDescriptor, 0);
  if (shared != wanted) return nullptr;
  void* own = static_cast<std::byte*>(wanted) + wire::Layout::kPrivate;
  if (mmap(own, wire::Layout::kReserved - wire::Layout::kPrivate, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0) != own) {
    return nullptr;
  }
  auto* control = static_cast<wire::Control*>(shared);
  const bool ours = control->magic == wire::kMagic && control->version == wire::kVersion &&
                    control->size == sizeof(wire::Control);
  if (!ours) {  // the driver compares the versions and reports it
    control->version = wire::kVersion;
    control->size = sizeof(wire::Control);
    return nullptr;
  }
  // A program that this one starts inherits the channel too, but is not the tested program.
  std::int32_t nobody = 0;
  const auto self = static_cast<std::int32_t>(os::call(SYS_getpid));
  const bool first = control->program_process.compare_exchange_strong(nobody, self);
  return first || nobody == self ? shared : nullptr;
}

void leave_forked_child() { leave_as_child(/*shares_files=*/false); }

/// The status that a parent sees: exit(-1) is 255, and exit(256) is 0.
int seen_status(int status) { return status & 0xff; }

/// Records the exit status that the program ends with.
void on_program_exit(int status, void*) {
  if (current_thread) instance->scheduler().tell_end(*current_thread);
  if (current_thread) instance->control().exit_seen.store(1, std::memory_order_release);
  if (current_thread && seen_status(status) != 0) {
    instance->host().record_failure(wire::FailureKind::kExit, seen_status(status), nullptr,
                                    nullptr);
  }
}

/// Runs before every other constructor of the process, libc's included (-z initfirst): a library
/// that stores the time or random bytes in its own constructor must not get real ones. The loader
/// passes the arguments of main.
__attribute__((constructor(101))) void load(int, char**, char** environment) {
  const int kept = errno;
  // This is done even if no run was requested: the program's threads must not all look them up at
  // once.
  real::resolve_strings();
  resolve_allocation();
  if (void* channel = map_channel(environment)) {
    real::resolve_all();
    instance = new (storage) Runtime(channel);
    instance->adopt_main();
    instance->thread_exit().watch();
    current_thread = &instance->main_thread();
    call_stack = instance->call_stack_of(current_thread->slot);
    instance->thread_exit().expect(*current_thread);
    instance->signals().watch(*current_thread);
    instance->faults().watch(instance->signal_stack(current_thread->slot));
    begin_to_catch_calls(*current_thread, instance->settings().catch_calls);
    pthread_atfork(nullptr, nullptr, leave_forked_child);
    on_exit(on_program_exit, nullptr);
  }
  errno = kept;
}

/// The point before the process ends, before exit handlers and destructors run.
void reach_exit(const void* site) {
  Thread* self = controlled_thread();
  if (!self) return;
  const Op op{.kind = wire::Operation::kProcessExit, .site = site};
  instance->scheduler().reach(*self, op);
  instance->scheduler().did(*self, op);
}

int controlled_main(int argc, char** argv, char** envp) {
  const int status = program_main(argc, argv, envp);
  reach_exit(reinterpret_cast<const void*>(program_main));
  return status;
}

}  // namespace

Runtime& runtime() { return *instance; }

pid_t real_process(pid_t number) { return instance ? instance->identity().real(number) : number; }

pid_t shown_process(pid_t number) { return instance ? instance->identity().shown(number) : number; }

void record_loaded_code() {
  if (instance && current_thread && !instance->is_starting()) instance->modules().record_new();
}

void leave_control() {
  current_thread = nullptr;
  call_stack = CallStack();
  has_left = true;
}

void leave_as_child(bool shares_files) {
  if (is_forked_child) return;
  if (current_thread) instance->signals().hand_back(*current_thread);
  instance->faults().hand_back_terminate();
  is_forked_child = true;
  countdowns.hooks.inspect_every(false);
  countdowns.set_far();
  leave_control();
  leave_channel(shares_files);
}

void lend_to_child(bool shares_files, bool shares_handlers) {
  lent = {.thread = current_thread, .frames = call_stack};
  if (!shares_handlers) instance->signals().hand_back(*current_thread);
  if (!shares_files) os::call(SYS_close, wire::kChannelDescriptor);
  leave_control();
}

void take_back_from_child() {
  if (!lent.thread) return;  // there was no child
  current_thread = lent.thread;
  call_stack = lent.frames;
  has_left = false;
  lent.thread = nullptr;
}

bool is_in_child() { return is_forked_child || lent.thread; }

void warn_stranger() {
  if (!instance || is_forked_child || has_left) return;
  if (instance->scheduler().run().uncontrolled) return;
  constexpr char kWhat[] = "a thread that unravel did not see created: ";
  constexpr std::size_t kNameSize = 16;  // the kernel's limit, with the terminator
  char what[sizeof(kWhat) + kNameSize] = {};
  std::memcpy(what, kWhat, sizeof(kWhat));
  os::call(SYS_prctl, PR_GET_NAME, os::as_argument(what + sizeof(kWhat) - 1));
  instance->warn_uncontrolled(what);
}

void runtime_fault(const char* sentence) { instance->host().fault(sentence); }

}  // namespace unravel

using namespace unravel;

UNRAVEL_EXPORT void exit(int status) {
  reach_exit(UNRAVEL_SITE);
  real::exit(status);
  __builtin_unreachable();
}

UNRAVEL_EXPORT void _exit(int status) {
  reach_exit(UNRAVEL_SITE);
  if (controlled_thread() && seen_status(status) != 0) {
    runtime().host().record_failure(wire::FailureKind::kExit, seen_status(status), nullptr,
                                    nullptr);
  }
  if (Thread* self = controlled_thread()) scheduler().tell_end(*self);
  if (controlled_thread()) runtime().control().exit_seen.store(1, std::memory_order_release);
  os::exit_process(status);
}

UNRAVEL_EXPORT void _Exit(int status) { _exit(status); }

UNRAVEL_EXPORT void quick_exit(int status) noexcept {
  reach_exit(UNRAVEL_SITE);
  if (Thread* self = controlled_thread()) scheduler().tell_end(*self);
  if (controlled_thread()) runtime().control().exit_seen.store(1, std::memory_order_release);
  real::quick_exit(status);
  __builtin_unreachable();
}

using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

/// Returning from main is an exit, too, and libc calls exit itself then, so we wrap main.
UNRAVEL_EXPORT int __libc_start_main(Main main, int argc, char** argv, void (*init)(),
                                     void (*fini)(), void (*loader_fini)(), void* stack_end) {
  static const auto next = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  program_main = main;
  if (controlled_thread()) instance->libraries_are_ready();
  return next(controlled_thread() ? controlled_main : main, argc, argv, init, fini, loader_fini,
              stack_end);
}
