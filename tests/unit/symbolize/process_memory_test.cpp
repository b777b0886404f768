#include "symbolize/process_memory.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace unravel {
namespace {

std::uint64_t remembered = 0;

void* remember_and_stay(void*) {
  remembered = 4711;
  for (;;) pause();
}

/// A process whose first thread may end before its second, which stays.
class Child {
 public:
  explicit Child(bool first_ends) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    pthread_t second;
    pthread_create(&second, nullptr, remember_and_stay, nullptr);
    // As pthread_exit would end it; but that unwinds, and the test's frames do not let it.
    if (first_ends) ::syscall(SYS_exit, 0);
    for (;;) pause();
  }
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// As /proc tells: `Z` if its first thread has ended.
  char state() const {
    std::ifstream file("/proc/" + std::to_string(pid_) + "/stat");
    std::stringstream text;
    text << file.rdbuf();
    const std::size_t end_of_name = text.str().rfind(") ");
    return end_of_name == std::string::npos ? '?' : text.str()[end_of_name + 2];
  }

 private:
  pid_t pid_ = 0;
};

/// What the process has at the address of this one's variable, once it is there.
std::uint64_t remembered_by(pid_t pid) {
  std::uint64_t value = 0;
  while (value == 0) {
    ProcessMemory memory;
    if (!memory.open(pid)) return 0;
    if (!memory.read(reinterpret_cast<std::uint64_t>(&remembered), &value, sizeof value)) return 0;
  }
  return value;
}

TEST(ProcessMemory, IsReadWhileTheFirstThreadLives) {
  const Child child(/*first_ends=*/false);
  EXPECT_EQ(remembered_by(child.pid()), 4711u);
  EXPECT_EQ(folder_of_memory(child.pid()), "/proc/" + std::to_string(child.pid()));
}

TEST(ProcessMemory, IsReadAfterTheFirstThreadHasEnded) {
  const Child child(/*first_ends=*/true);
  while (child.state() != 'Z') ASSERT_NE(child.state(), '?');
  EXPECT_EQ(remembered_by(child.pid()), 4711u);
}

TEST(ProcessMemory, OfNoProcessIsNotThere) {
  const pid_t gone = ::fork();
  if (gone == 0) _exit(0);
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  ProcessMemory memory;
  EXPECT_FALSE(memory.open(gone));
}

}  // namespace
}  // namespace unravel
