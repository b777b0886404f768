#include "run/client.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>

#include "run/plain_command.hpp"

namespace unravel {
namespace {

using namespace std::chrono_literals;

class ClientTest : public testing::Test {
 protected:
  Client start(const std::string& command) {
    return std::move(Client::start({.command = command,
                                    .directory = "/",
                                    .environment = &environment_,
                                    .output = output_.get()})
                         .value());
  }

  static int wait(Client& client) {
    for (;;) {
      if (const auto status = client.wait_status()) return *status;
      std::this_thread::sleep_for(1ms);
    }
  }

  std::string output() const {
    std::string text(1000, '\0');
    const ssize_t size = ::pread(output_.get(), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

  /// The numbers that a command wrote, one a line, once there are so many.
  std::vector<pid_t> numbers(std::size_t count) const {
    for (;;) {
      std::vector<pid_t> found;
      const std::string text = output();
      for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != text.npos; at = end + 1) {
        found.push_back(static_cast<pid_t>(std::atoi(text.c_str() + at)));
      }
      if (found.size() >= count) return found;
      std::this_thread::sleep_for(1ms);
    }
  }

  std::vector<std::string> environment_ = {"PATH=/usr/bin:/bin", "MARK=here"};
  UniqueFd output_ = file_in_memory("").value();
};

TEST_F(ClientTest, IsAShellCommandWithItsOwnOutput) {
  Client client = start("echo $MARK; pwd >&2; exit 3");

  EXPECT_EQ(wait(client), 3 << 8);
  EXPECT_EQ(output(), "here\n/\n");
}

TEST_F(ClientTest, ThatASignalEndsSaysSo) {
  Client client = start("kill -9 $$");

  const int status = wait(client);

  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
}

TEST_F(ClientTest, HasNoDescriptorsOfOurs) {
  const UniqueFd ours(::memfd_create("ours", 0));  // without close-on-exec
  Client client = start("ls /proc/self/fd | wc -l");

  EXPECT_EQ(wait(client), 0);
  EXPECT_EQ(output(), "4\n");  // the standard ones, and that of ls on the folder
}

TEST_F(ClientTest, EndsWithAllThatItHasStarted) {
  std::vector<pid_t> processes;
  {
    // One in a session of its own, one whose parent has ended.
    Client client = start("setsid sh -c 'echo $$; sleep 1000' & (sh -c 'echo $$; sleep 1000' &)");
    EXPECT_EQ(wait(client), 0);
    processes = numbers(2);
    for (const pid_t process : processes) EXPECT_EQ(::kill(process, 0), 0);
  }
  for (const pid_t process : processes) EXPECT_EQ(::kill(process, 0), -1);
}

TEST_F(ClientTest, CanBeEndedWhileItRuns) {
  std::vector<pid_t> processes;
  {
    Client client = start("echo $$; sleep 1000");
    processes = numbers(1);
    EXPECT_FALSE(client.wait_status());
  }
  EXPECT_EQ(::kill(processes[0], 0), -1);
}

}  // namespace
}  // namespace unravel
