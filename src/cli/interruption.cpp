#include "cli/interruption.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <chrono>

#include "base/assert.hpp"
#include "cli/exit_status.hpp"

namespace unravel {

namespace {

// For the signal handler.
std::atomic<int> signal_pipe{-1};
std::atomic<int> signals_seen{0};

// The interruption is repeated: a signal may come between two runs, when there is nothing to end
// yet. Chosen by hand.
constexpr int kTellAgainMilliseconds = 20;

// Long enough to finish writing; a person who pressed Ctrl-C does not wait longer. Chosen by hand.
constexpr auto kPatience = std::chrono::seconds(5);

void handle(int) {
  if (signals_seen.fetch_add(1) > 0) ::_exit(kUserOrEnvironment);
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(signal_pipe.load(), &byte, 1);
}

}  // namespace

Interruption::Interruption() : done_(::eventfd(0, EFD_CLOEXEC)) {
  int ends[2];
  UNRAVEL_ASSERT(::pipe2(ends, O_CLOEXEC) == 0 && done_, "no file descriptors are available");
  read_end_.reset(ends[0]);
  write_end_.reset(ends[1]);
  signal_pipe = write_end_.get();

  // The thread must never run the handler. Programs inherit our signal mask, so it is restored.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { wait_for_signal(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);

  for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) {
    struct sigaction action = {};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;  // as under nohup
    action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART;
    ::sigaction(number, &action, nullptr);
  }
}

Interruption::~Interruption() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(done_.get(), &one, sizeof one);
  thread_.join();
}

void Interruption::wait_for_signal() {
  pollfd both[] = {{read_end_.get(), POLLIN, 0}, {done_.get(), POLLIN, 0}};
  while (::poll(both, 2, -1) < 0) {
  }
  if (both[1].revents != 0) return;
  happened_ = true;
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (::poll(&both[1], 1, kTellAgainMilliseconds) <= 0) {
    if (std::chrono::steady_clock::now() > give_up) ::_exit(kUserOrEnvironment);
    const std::lock_guard lock(mutex_);
    if (interrupt_) interrupt_();
  }
}

void Interruption::watch(std::function<void()> interrupt) {
  const std::lock_guard lock(mutex_);
  interrupt_ = std::move(interrupt);
}

}  // namespace unravel
