#include "run/sandbox.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"
#include "sandbox_fixture.hpp"

namespace unravel {
namespace {

bool is_there(const fs::path& path) { return ::access(path.c_str(), F_OK) == 0; }

/// Whether somebody still has the other end; does not wait.
bool is_held(int read_end) {
  char byte;
  ::fcntl(read_end, F_SETFL, O_NONBLOCK);
  return ::read(read_end, &byte, 1) < 0 && errno == EAGAIN;
}

TEST_F(SandboxTest, KeepsWhatIsWrittenAwayFromTheRealFilesAndFromLaterRuns) {
  const auto sandbox = make();
  const auto sandboxed = sandbox.get();

  EXPECT_TRUE(inside(*sandboxed, [] {
    return write("made", "1") && write("existing", "new") && write("/tmp/unravel-made", "2") &&
           write("/dev/shm/unravel-made", "3");
  }));
  EXPECT_TRUE(inside(*sandboxed, [] { return is_there("made") && is_there("/tmp/unravel-made"); }));
  ASSERT_TRUE(sandbox->reset().has_value());

  EXPECT_TRUE(inside(*sandboxed, [] {
    return !is_there("made") && !is_there("/tmp/unravel-made") &&
           !is_there("/dev/shm/unravel-made") && read_text_file("existing") == "old";
  }));
  EXPECT_FALSE(is_there(directory_ / "made"));
  EXPECT_FALSE(is_there("/tmp/unravel-made"));
  EXPECT_EQ(read_text_file(directory_ / "existing"), "old");
}

TEST_F(SandboxTest, BringsBackWhatWasRemoved) {
  const auto sandbox = make();

  EXPECT_TRUE(inside(*sandbox, [] { return ::unlink("existing") == 0 && !is_there("existing"); }));
  ASSERT_TRUE(sandbox->reset().has_value());

  EXPECT_TRUE(inside(*sandbox, [] { return is_there("existing"); }));
}

TEST_F(SandboxTest, GivesEveryRunWhatTheStartWrote) {
  const auto sandbox = make();
  ASSERT_TRUE(inside(*sandbox, [] {
    return ::mkdir("logs", 0755) == 0 && write("logs/start", "s") && ::unlink("existing") == 0 &&
           write("/dev/shm/start", "s");
  }));
  ASSERT_TRUE(sandbox->end_start().has_value());

  for (int run = 0; run < 3; ++run) {
    EXPECT_TRUE(inside(*sandbox, [] {
      return read_text_file("logs/start") == "s" && !is_there("existing") &&
             is_there("/dev/shm/start") && !is_there("logs/run") && write("logs/run", "r") &&
             write("logs/start", "changed");
    })) << run;
    ASSERT_TRUE(sandbox->reset().has_value());
  }
  ASSERT_TRUE(sandbox->renew().has_value());
  EXPECT_TRUE(inside(*sandbox, [] { return !is_there("logs") && is_there("existing"); }));
}

TEST_F(SandboxTest, CopiesOutWhatWasWrittenSinceTheProgramBegan) {
  const auto sandbox = make();
  ASSERT_TRUE(inside(*sandbox, [] { return write("first", "1") && write("second", "2"); }));
  ASSERT_TRUE(sandbox->end_start().has_value());
  ASSERT_TRUE(inside(*sandbox, [] {
    return ::unlink("second") == 0 && write("third", "3") && write("/tmp/unravel-made", "4");
  }));

  const fs::path kept = directory_ / "kept";
  const auto files = sandbox->keep_files(kept);

  ASSERT_TRUE(files.has_value()) << files.error().what;
  EXPECT_EQ(*files, 3u);
  const fs::path copy = kept / directory_.relative_path();
  EXPECT_EQ(read_text_file(copy / "first"), "1");
  EXPECT_FALSE(is_there(copy / "second"));
  EXPECT_EQ(read_text_file(copy / "third"), "3");
  EXPECT_EQ(read_text_file(kept / "tmp/unravel-made"), "4");
  EXPECT_FALSE(is_there(copy / "existing"));
}

TEST_F(SandboxTest, CopiesNothingThroughALinkThatTheProgramMade) {
  const fs::path mine = fs::temp_directory_path() / "unravel-outside-the-copy";
  fs::create_directory(mine);
  std::ofstream(mine / "letter") << "mine";
  const auto sandbox = make();
  ASSERT_TRUE(inside(*sandbox, [&] {
    return ::symlink(mine.c_str(), "out") == 0 && ::mkdir("folder", 0700) == 0 &&
           write("folder/file", "1");
  }));
  ASSERT_TRUE(sandbox->end_start().has_value());
  ASSERT_TRUE(inside(*sandbox, [] {
    return ::unlink("out") == 0 && ::mkdir("out", 0700) == 0 && write("out/letter", "theirs") &&
           ::unlink("folder/file") == 0 && ::rmdir("folder") == 0 && write("folder", "2");
  }));

  const fs::path kept = directory_ / "kept";
  const auto files = sandbox->keep_files(kept);

  ASSERT_TRUE(files.has_value()) << files.error().what;
  EXPECT_EQ(read_text_file(mine / "letter"), "mine");
  const fs::path copy = kept / directory_.relative_path();
  EXPECT_EQ(read_text_file(copy / "out/letter"), "theirs");
  EXPECT_EQ(read_text_file(copy / "folder"), "2");
  fs::remove_all(mine);
}

TEST_F(SandboxTest, HasANetworkOfItsOwn) {
  const auto listens = [] {
    sockaddr_in place{.sin_family = AF_INET, .sin_port = htons(38474), .sin_addr = {}};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
    const int caller = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto* address = reinterpret_cast<const sockaddr*>(&place);
    return ::bind(listening, address, sizeof place) == 0 && ::listen(listening, 1) == 0 &&
           ::connect(caller, address, sizeof place) == 0;
  };
  const auto first = make();
  const auto second = make();
  int gate[2];
  ASSERT_EQ(::pipe(gate), 0);

  const pid_t holder = first->fork_inside();
  if (holder == 0) {
    const bool good = listens();
    if (::write(gate[1], good ? "y" : "n", 1) != 1) ::_exit(1);
    ::pause();
  }
  char answer = 0;
  ASSERT_EQ(::read(gate[0], &answer, 1), 1);

  EXPECT_EQ(answer, 'y');
  EXPECT_TRUE(inside(*second, listens));
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
}

TEST_F(SandboxTest, FreesAPortWhoseConnectionsTheListenerClosedFirst) {
  const auto answers = [] {
    sockaddr_in place{.sin_family = AF_INET, .sin_port = htons(38475), .sin_addr = {}};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const auto* address = reinterpret_cast<const sockaddr*>(&place);
    const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
    const int caller = ::socket(AF_INET, SOCK_STREAM, 0);
    if (::bind(listening, address, sizeof place) != 0 || ::listen(listening, 1) != 0 ||
        ::connect(caller, address, sizeof place) != 0) {
      return false;
    }
    ::close(::accept(listening, nullptr, nullptr));
    char byte;
    return ::read(caller, &byte, 1) == 0;
  };
  const auto sandbox = make();

  EXPECT_TRUE(inside(*sandbox, answers));
  EXPECT_TRUE(inside(*sandbox, answers));
}

TEST_F(SandboxTest, LeavesNobodyBehind) {
  const auto sandbox = make();
  if (!sandbox->has_own_processes()) GTEST_SKIP() << "processes are shared here";
  int gate[2];
  ASSERT_EQ(::pipe2(gate, O_CLOEXEC), 0);

  EXPECT_TRUE(inside(*sandbox, [] {
    if (::fork() == 0) {
      ::setsid();
      if (::fork() == 0) ::pause();
      ::_exit(0);
    }
    return true;
  }));
  ::close(gate[1]);
  EXPECT_TRUE(is_held(gate[0]));
  ASSERT_TRUE(sandbox->end_processes().has_value());

  EXPECT_FALSE(is_held(gate[0]));
}

TEST_F(SandboxTest, DiesWithTheDriver) {
  int gate[2];
  ASSERT_EQ(::pipe2(gate, O_CLOEXEC), 0);
  const pid_t driver = ::fork();
  if (driver == 0) {
    auto made = Sandbox::create(paths());
    if (!made || !(*made)->has_own_processes()) ::_exit(1);
    if ((*made)->fork_inside() == 0) {
      ::setsid();
      ::pause();
    }
    ::raise(SIGKILL);
  }
  ::close(gate[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(driver, &status, 0), driver);
  if (!WIFSIGNALED(status)) GTEST_SKIP() << "processes are shared here";

  char byte;
  EXPECT_EQ(::read(gate[0], &byte, 1), 0);  // hangs if one is left
}

TEST_F(SandboxTest, SaysThatItsKeeperIsGone) {
  const auto sandbox = make();
  std::ifstream children("/proc/thread-self/children");
  for (pid_t child = 0; children >> child;) {
    std::string name;
    std::ifstream("/proc/" + std::to_string(child) + "/comm") >> name;
    if (name == "unravel-keeper") ::kill(child, SIGKILL);
  }

  const auto reset = sandbox->reset();

  ASSERT_FALSE(reset.has_value());
  EXPECT_EQ(reset.error().why, "their keeper was killed");
}

TEST_F(SandboxTest, LeavesNoMountsBehind) {
  const auto before = read_text_file("/proc/self/mountinfo");

  make().reset();

  EXPECT_EQ(read_text_file("/proc/self/mountinfo"), before);
}

}  // namespace
}  // namespace unravel
