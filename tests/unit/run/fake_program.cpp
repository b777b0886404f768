#include "fake_program.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <filesystem>
#include <string>

#include "wire/control.hpp"

namespace unravel {
namespace {

using wire::Layout;

wire::Control* control;
char command_line[PATH_MAX + 64];
const char* act = "";

bool is(const char* name) { return std::strcmp(act, name) == 0; }

void* channel() { return control; }

void say(wire::State state) {
  control->state.store(state);
  control->driver_bell.fetch_add(1);
  ::syscall(SYS_futex, &control->driver_bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

wire::Request hear() {
  while (control->request.load() == wire::Request::kNone) {
    ::syscall(SYS_futex, &control->request, FUTEX_WAIT, wire::Request::kNone, nullptr, nullptr, 0);
  }
  const wire::Request request = control->request.exchange(wire::Request::kNone);
  if (request == wire::Request::kEnd) ::_exit(0);
  return request;
}

void print(const char* text) {
  [[maybe_unused]] const ssize_t written = ::write(1, text, std::strlen(text));
}

std::uint64_t output_size(int descriptor) {
  struct stat status = {};
  ::fstat(descriptor, &status);
  return static_cast<std::uint64_t>(status.st_size);
}

void append_slice(std::uint32_t thread, std::uint64_t operations) {
  auto* slices = wire::at<wire::Slice>(channel(), Layout::kSlices);
  slices[control->slices.count++] = {
      .thread = {.ordinal = thread}, .until = {.operations = operations}, .end = wire::End::kEnded};
}

void hold(wire::StopReason why, wire::LastWords::Kind kind, wire::RunSlot& slot) {
  slot.last_words = kind;
  control->last_words.kind = kind;
  control->last_words.failure = wire::FailureKind::kDeadlock;
  control->stop_reason.store(why);
  say(wire::State::kStopped);
  hear();
}

[[noreturn]] void leave(int status) {
  control->exit_seen.store(1);
  ::_exit(status);
}

/// As a wild pointer does. The beginning last: from then on the driver may look.
void overwrite() {
  std::uint64_t random = 88172645463325252;  // any but 0
  for (std::uint64_t at = Layout::kEvents; at > 0; at -= 8) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    *wire::at<std::uint64_t>(channel(), at - 8) = random;
  }
}

[[noreturn]] void run(wire::RunSlot& slot) {
  control->slices.count = 0;
  slot.threads = 2;
  slot.steps = 10;
  print("run\n");
  const bool is_third = slot.ordinal == 2;
  if (is("full-streams")) {
    for (std::uint32_t part = 0; part < 3; ++part) {
      append_slice(static_cast<std::uint32_t>(slot.ordinal), part);
      say(wire::State::kFull);
      hear();
    }
  }
  append_slice(0, 100 + slot.ordinal);
  if (is_third && is("fails-third")) ::_exit(3);
  if (is_third && is("hangs-third")) {
    for (;;) ::pause();
  }
  if (is_third && is("floods-third")) {
    for (;;) print("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n");
  }
  if (is_third && is("deadlocks-third")) {
    hold(wire::StopReason::kFailure, wire::LastWords::Kind::kFailure, slot);
    ::_exit(1);
  }
  if (is("names-a-stranger")) {
    // Once the server has noted who this is, so that it does not correct it.
    while (control->run_process.load() != ::getpid()) ::usleep(100);
    control->run_process.store(1);
    control->stop_reason.store(wire::StopReason::kClock);
    say(wire::State::kStopped);
    hear();
  }
  if (is_third && is("is-killed-third")) ::kill(::getpid(), SIGKILL);
  if (is_third && is("overwrites-third")) overwrite();
  if (is_third && is("overwrites-a-batch-third")) control->batch.count = ~0u;
  if (is_third && is("serves-too-early-third")) {
    control->runs_ended.store(0);
    for (;;) say(wire::State::kServing);
  }
  if (is_third && is("is-held-for-ever-third")) {
    for (;;) say(wire::State::kStopped);
  }
  if (is_third && is("names-another-process-third")) {
    control->run_process.store(-1);
    hold(wire::StopReason::kFailure, wire::LastWords::Kind::kFailure, slot);
  }
  leave(0);
}

void serve_one(std::uint32_t index) {
  wire::RunSlot& slot = wire::at<wire::RunSlot>(channel(), Layout::kRuns)[index];
  slot.ordinal = control->batch.first_ordinal + index;
  slot.seed = wire::seed_of(control->batch.master_seed, slot.ordinal);
  for (int i = 0; i < 2; ++i) slot.output_begin[i] = output_size(i + 1);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    run(slot);
  }
  control->run_process.store(child);
  if (is("server-dies") && slot.ordinal == 2) ::_exit(9);
  if (is("third-run-kills-server") && index == 2) ::_exit(9);
  siginfo_t ended;
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  control->run_process.store(0);
  ::waitpid(child, &slot.wait_status, 0);
  for (int i = 0; i < 2; ++i) slot.output_end[i] = output_size(i + 1);
  slot.ended = 1;
  control->runs_ended.fetch_add(1);
}

[[noreturn]] void serve() {
  control->mode.store(wire::Mode::kServer);
  for (;;) {
    control->request.store(wire::Request::kNone);
    say(wire::State::kServing);
    hear();
    control->state.store(wire::State::kRunning);
    const std::uint32_t count = control->batch.count;
    for (std::uint32_t i = 0; i < count; ++i) {
      serve_one(i);
      const auto& slot = wire::at<wire::RunSlot>(channel(), Layout::kRuns)[i];
      if (control->batch.stop_at_failure && wire::went_wrong(slot)) break;
    }
    if (is("leaves-after-a-batch")) {
      say(wire::State::kServing);
      ::_exit(0);
    }
  }
}

[[noreturn]] void play() {
  if (is("ignores-the-channel")) ::_exit(0);
  if (is("has-another-version")) {
    control->version = 77;
    ::_exit(0);
  }
  control->thread_slots = 1;
  print("start\n");
  if (is("has-one-thread")) leave(0);
  if (is("exits-with-4")) leave(4);
  if (is("replaces-itself")) ::_exit(0);
  if (is("is-killed")) ::kill(::getpid(), SIGKILL);
  if (is("never-ends")) {
    for (;;) ::pause();
  }
  if (is("runs-directly")) {
    control->mode.store(wire::Mode::kDirect);
    std::strcpy(control->why_direct, "it likes to be alone");
    say(wire::State::kServing);
    hear();
    run(*wire::at<wire::RunSlot>(channel(), Layout::kRuns));
  }
  serve();
}

// Before main(), so that the test framework never sees that it was started; and perhaps before
// the standard library, which is therefore not used.
[[gnu::constructor]] void become_the_program() {
  if (!::getenv("UNRAVEL_CHANNEL")) return;
  const int file = ::open("/proc/self/cmdline", O_RDONLY);
  [[maybe_unused]] const ssize_t size = ::read(file, command_line, sizeof command_line - 1);
  ::close(file);
  act = command_line + std::strlen(command_line) + 1;
  void* memory = ::mmap(nullptr, Layout::kShared, PROT_READ | PROT_WRITE, MAP_SHARED,
                        wire::kChannelDescriptor, 0);
  control = static_cast<wire::Control*>(memory);
  play();
}

}  // namespace

Program fake_program(const std::string& what) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return {.arguments = {self, what}, .path = self, .directory = "/"};
}

std::string harmless_library() {
  // A sanitizer's own library insists on being the first.
  const void* known = nullptr;
  for (const char* symbol : {"__asan_init", "__tsan_init", "getppid"}) {
    if (!known) known = ::dlsym(RTLD_DEFAULT, symbol);
  }
  Dl_info info = {};
  ::dladdr(known, &info);
  return std::filesystem::canonical(info.dli_fname).string();
}

}  // namespace unravel
