#include "runtime/process/fork_server.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "runtime/os/directory.hpp"
#include "runtime/os/dispatch.hpp"
#include "runtime/os/real.hpp"
#include "runtime/os/real_time.hpp"
#include "runtime/os/system_call.hpp"
#include "runtime/process/leftovers.hpp"

namespace unravel {

using wire::Layout;
using wire::Mode;
using wire::Operation;
using wire::State;

namespace {

// Messages for a run that exited without our noticing. The kernel says which one applies.
constexpr char kReplaced[] =
    "the run went on as another program, which is not controlled: it called exec by a system call "
    "of its own";
constexpr char kEndedUnseen[] =
    "the run ended behind the C library's back: by a system call of its own, not by exit or _exit";
constexpr char kEndedOrReplaced[] =
    "the run ended behind the C library's back, or went on as another program, which is not "
    "controlled";

/// How a child that has ended and is not reaped yet went unnoticed.
const char* how_it_went_unseen(pid_t child) {
  char path[32] = "/proc/";
  std::size_t end = std::strlen(path);
  char digits[12];
  int count = 0;
  for (pid_t left = child; left > 0; left /= 10) {
    digits[count++] = static_cast<char>('0' + left % 10);
  }
  while (count > 0) path[end++] = digits[--count];
  std::memcpy(path + end, "/stat", sizeof "/stat");
  const char* told = kEndedOrReplaced;
  os::for_each_line(path, [&](const char* line) {
    // The name is in brackets and may contain anything, so the fields start after the last bracket.
    const char* field = std::strrchr(line, ')');
    // Skips state, parent, group, session, terminal and its group: the flags come next.
    for (int skipped = 0; field && skipped < 7; ++skipped) field = std::strchr(field + 1, ' ');
    if (!field) return true;
    std::uint64_t flags = 0;
    for (const char* digit = field + 1; *digit >= '0' && *digit <= '9'; ++digit) {
      flags = flags * 10 + static_cast<unsigned>(*digit - '0');
    }
    constexpr std::uint64_t kForkedOnly = 0x40;  // PF_FORKNOEXEC: exec clears it
    told = flags & kForkedOnly ? kEndedUnseen : kReplaced;
    return false;
  });
  return told;
}

std::uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_usec) * 1'000;
}

/// Whether memory is mapped that children would share, other than the channel.
bool has_shared_memory() {
  bool found = false;
  os::for_each_line("/proc/self/maps", [&](const char* line) {
    std::uintptr_t begin = 0;
    for (; *line && *line != '-'; ++line) {
      begin = begin * 16 + static_cast<unsigned>(*line <= '9' ? *line - '0' : *line - 'a' + 10);
    }
    const char* access = std::strchr(line, ' ');
    found = access && access[2] == 'w' && access[4] == 's' && begin != wire::kChannelAddress;
    return !found;
  });
  return found;
}

/// Gives every run, its threads and its children the same numbers, far from the server's own. Where
/// that is not allowed, the kernel takes the next free ones.
void number_next_process() {
  constexpr char kLast[] = "1000";
  const long file =
      os::call(SYS_open, os::as_argument("/proc/sys/kernel/ns_last_pid"), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  os::call(SYS_write, file, os::as_argument(kLast), sizeof kLast - 1);
  os::call(SYS_close, file);
}

}  // namespace

void ForkServer::serve() {
  wire::Control& control = runtime_.control();
  const char* reason = why_not_fork();
  runtime_.modules().record_loaded();
  modules_ = runtime_.modules().count();
  control.thread_slots = runtime_.scheduler().threads().slots();
  control.mode.store(reason ? Mode::kDirect : Mode::kServer, std::memory_order_release);
  if (reason) std::strncpy(control.why_direct, reason, sizeof(control.why_direct) - 1);
  // Processes that a run starts and leaves behind become our children, so that we can end them.
  if (!reason) os::call(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
  const bool sandboxed = runtime_.settings().sandboxed != 0;
  // What the server itself does is no input of the program.
  os::let_calls_pass();

  for (;;) {
    control.request.store(wire::Request::kNone);  // it answered a run that died of something else
    runtime_.host().ask(State::kServing);
    runtime_.take_wrappers();
    const std::uint32_t count = std::min(control.batch.count, wire::kMostRunsInBatch);
    control.runs_ended.store(0, std::memory_order_release);
    if (reason) {
      os::call(SYS_close, wire::kChannelDescriptor);
      start_slot(0);
      os::catch_calls_again();
      runtime_.begin_run(0, control.batch.schedules
                                ? wire::at<wire::ScheduleHeader>(&control, Layout::kSchedules)
                                : nullptr);
      return;
    }
    const Leftovers before = sandboxed ? Leftovers::look() : Leftovers{};
    for (std::uint32_t index = 0; index < count; ++index) {
      if (run_in_child(index)) return;
      if (sandboxed && Leftovers::look() != before) {
        control.wrote = 1;
        break;
      }
      if (control.batch.stop_at_failure && wire::went_wrong(runtime_.runs()[index])) break;
    }
  }
}

bool ForkServer::run_in_child(std::uint32_t index) {
  wire::Control& control = runtime_.control();
  start_slot(index);
  if (runtime_.settings().own_processes) number_next_process();
  const auto server = static_cast<pid_t>(os::call(SYS_getpid));
  const auto parent = static_cast<pid_t>(os::call(SYS_getppid));
  const pid_t child = real::_Fork();
  if (child == 0) {
    // If the server has already ended, nothing would end us.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (os::call(SYS_getppid) != server) os::exit_process(0);
    const auto run = static_cast<pid_t>(os::call(SYS_getpid));
    runtime_.identity().become_run(run, server, parent);
    control.run_process.store(run, std::memory_order_release);
    os::call(SYS_close, wire::kChannelDescriptor);
    become_child();
    os::catch_calls_here();
    auto* schedule = wire::at<wire::ScheduleHeader>(&control, Layout::kSchedules);
    for (std::uint32_t i = 0; i < index && control.batch.schedules; ++i) {
      schedule = wire::at<wire::ScheduleHeader>(schedule, schedule->bytes);
    }
    runtime_.begin_run(index, control.batch.schedules ? schedule : nullptr);
    return true;
  }
  if (child < 0) runtime_.host().fault("the fork server cannot fork: out of memory or processes");

  control.run_process.store(child, std::memory_order_release);
  siginfo_t info;
  // The child stays a zombie, so that its number stays taken until no process can refer to it.
  while (os::call(SYS_waitid, P_PID, child, os::as_argument(&info), WEXITED | WNOWAIT, 0) ==
         -EINTR) {
  }
  control.run_process.store(0, std::memory_order_seq_cst);
  const char* unseen = nullptr;
  if (info.si_code == CLD_EXITED && control.exit_seen.load() == 0) {
    unseen = how_it_went_unseen(child);
  }
  int status = 0;
  rusage usage{};
  while (os::call(SYS_wait4, child, os::as_argument(&status), 0, os::as_argument(&usage)) ==
         -EINTR) {
  }
  runtime_.runs()[index].processor_nanoseconds =
      nanoseconds_of(usage.ru_utime) + nanoseconds_of(usage.ru_stime);
  if (end_children()) {
    runtime_.notes().add_uncontrolled("a process that outlived its run");
  }
  control.state.store(State::kRunning, std::memory_order_release);
  finish_slot(index, status, unseen);
  return false;
}

void ForkServer::start_slot(std::uint32_t index) {
  wire::Control& control = runtime_.control();
  wire::RunSlot& run = runtime_.runs()[index];
  run = wire::RunSlot{};
  run.ordinal = control.batch.first_ordinal + index;
  run.seed = wire::seed_of(control.batch.master_seed, run.ordinal);
  control.slices.count = control.choices.count = 0;
  control.clock_switches.count = control.events.count = control.trace.count = 0;
  control.last_words.kind = wire::LastWords::Kind::kNothing;
  control.last_words.cycle_length = 0;
  control.last_words.has_expected = 0;
  control.last_words.text[0] = '\0';
  control.exit_seen.store(0, std::memory_order_relaxed);
  control.current_slot = runtime_.main_thread().slot;
  runtime_.modules().forget_later_than(modules_);
  record_output(run.output_begin);
  children_before_ = control.children.load(std::memory_order_relaxed);
  started_ = os::real_nanoseconds();
}

void ForkServer::finish_slot(std::uint32_t index, int wait_status, const char* unseen) {
  wire::RunSlot& run = runtime_.runs()[index];
  run.wait_status = wait_status;
  wire::Control& control = runtime_.control();
  // What was recorded before the run began, such as an error of ours, is not in its slot yet.
  if (run.last_words == wire::LastWords::Kind::kNothing) run.last_words = control.last_words.kind;
  if (unseen && run.last_words == wire::LastWords::Kind::kNothing) {
    run.last_words = control.last_words.kind = wire::LastWords::Kind::kUnresolved;
    std::strncpy(control.last_words.text, unseen, sizeof(control.last_words.text) - 1);
  }
  run.children = control.children.load(std::memory_order_relaxed) - children_before_;
  run.nanoseconds = os::real_nanoseconds() - started_;
  record_output(run.output_end);
  run.ended = 1;
  control.runs_ended.fetch_add(1, std::memory_order_release);
}

void ForkServer::record_output(std::uint64_t (&offsets)[2]) const {
  for (int stream = 0; stream < 2; ++stream) {
    struct stat status {};
    offsets[stream] =
        fstat(stream + 1, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  }
}

const char* ForkServer::why_not_fork() {
  if (!runtime_.settings().fork_server) return "it was not asked for";
  const wire::Client client = runtime_.control().client.load(std::memory_order_acquire);
  if (client > wire::Client::kExpected && client != wire::Client::kRecorded) {
    return "its client was started before its first thread";
  }
  int threads = 0;
  os::for_each_number("/proc/self/task", [&](int, int) { return ++threads < 2; });
  if (threads > 1) return "a thread that is not controlled is already running";
  if (has_children()) return "the program has a child process before its first thread";
  if (has_shared_memory()) return "memory that runs would share is mapped before its first thread";
  const bool sandboxed = runtime_.settings().sandboxed != 0;
  if (sandboxed && Leftovers::look().has_ipc_objects()) {
    return "System V IPC objects exist before its first thread";
  }
  if (!rename_holders(/*only_check=*/true)) {
    return "the program holds a robust, priority or shared lock before its first thread";
  }
  return files_.look(sandboxed);
}

void ForkServer::become_child() {
  if (!files_.make_own())
    runtime_.host().fault(
        "a run cannot have the program's open files: they cannot be opened again or copied");
  if (runtime_.settings().sandboxed) {
    // Enters the directory again by name: if the last run left something there, the name means a
    // new directory.
    char directory[4096];
    const long size = os::call(SYS_getcwd, os::as_argument(directory), sizeof directory);
    if (size > 0 && directory[0] == '/') os::call(SYS_chdir, os::as_argument(directory));
  }
  rename_holders(/*only_check=*/false);
  runtime_.back_end().identify(runtime_.main_thread());
}

// Locks that main holds name it by its kernel thread id, which differs in each child.
bool ForkServer::rename_holders(bool only_check) {
  bool possible = true;
  const int id = static_cast<int>(os::call(SYS_gettid));
  runtime_.scheduler().objects().for_each([&](Object& object) {
    if (!object.holders) return;
    void* address = const_cast<void*>(object.address);
    switch (object.holders->operation) {
      case Operation::kLock:
      case Operation::kTryLock: {
        auto* mutex = static_cast<pthread_mutex_t*>(address);
        constexpr int kPlainKinds = 3;  // normal, recursive, errorcheck, adaptive
        possible = possible && (mutex->__data.__kind & ~kPlainKinds & 0xff) == 0;
        if (!only_check) mutex->__data.__owner = id;
        break;
      }
      case Operation::kWriteLock:
      case Operation::kTryWriteLock:
        if (!only_check) static_cast<pthread_rwlock_t*>(address)->__data.__cur_writer = id;
        break;
      default: break;
    }
  });
  return possible;
}

}  // namespace unravel
