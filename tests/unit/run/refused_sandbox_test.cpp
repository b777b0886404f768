/// Systems that refuse what a sandbox needs: runs go on without one, with a warning.
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <functional>

#include "fake_program.hpp"
#include "run/pool.hpp"
#include "run/process_runner.hpp"
#include "sandbox_fixture.hpp"

namespace unravel {
namespace {

/// What a container's default filter refuses: new namespaces and fixed addresses.
void refuse_namespaces() {
  constexpr unsigned kNamespaces =
      CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC;
  constexpr auto kCall = static_cast<unsigned>(offsetof(seccomp_data, nr));
  constexpr auto kFirst = static_cast<unsigned>(offsetof(seccomp_data, args));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kCall),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 6, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_personality, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirst),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, kNamespaces, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{.len = sizeof filter / sizeof *filter, .filter = filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(99);
}

/// Namespaces can be made, but nobody else can enter them.
void refuse_entering() {
  constexpr auto kCall = static_cast<unsigned>(offsetof(seccomp_data, nr));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kCall),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setns, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{.len = sizeof filter / sizeof *filter, .filter = filter};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) ::_exit(99);
}

/// Whether `act` is true where namespaces are refused.
bool where_refused(const std::function<bool()>& act,
                   const std::function<void()>& refuse = refuse_namespaces) {
  const pid_t child = ::fork();
  if (child == 0) {
    refuse();
    ::_exit(act() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

TEST(RefusedSandbox, IsToldWithItsReason) {
  EXPECT_TRUE(where_refused([] {
    const auto why = why_not_sandboxed({.directory = "/usr", .needed = {}});
    return why == "the system refuses namespaces: Operation not permitted";
  }));
}

TEST(RefusedSandbox, IsAWarningOfEveryRunAndKeepsNothingFromRunning) {
  EXPECT_TRUE(where_refused([] {
    RunnerOptions options;
    options.scratch_directory = "/tmp";
    const Program program = fake_program("serves");
    auto session = ProgramProcess::create(program, options, harmless_library());
    ProcessRunner runner(program, options, std::move(*session));
    const auto run = runner.run({});
    const std::vector<std::string> expected = {
        "addresses are randomised: personality(ADDR_NO_RANDOMIZE) was refused",
        "runs are not sandboxed: the system refuses namespaces: Operation not permitted; files "
        "that "
        "the program writes are seen by later runs"};
    return run && run->summary.outcome == Outcome::kPassed && run->warnings == expected &&
           !run->schedule.sandboxed && !runner.sandboxed() && !runner.keep_files("/tmp/kept");
  }));
}

TEST_F(SandboxTest, ThatCannotBeEnteredIsAWarningAndKeepsNothingFromRunning) {
  EXPECT_TRUE(where_refused(
      [this] {
        RunnerOptions options;
        options.scratch_directory = "/tmp";
        Program program = fake_program("serves");
        program.directory = directory_;
        auto session = ProgramProcess::create(program, options, harmless_library());
        ProcessRunner runner(program, options, std::move(*session));
        const auto run = runner.run({});
        const std::vector<std::string> expected = {
            "runs are not sandboxed: cannot start a process in namespaces of its own: Operation "
            "not "
            "permitted; files that the program writes are seen by later runs"};
        return run && run->summary.outcome == Outcome::kPassed && run->warnings == expected &&
               !run->schedule.sandboxed;
      },
      refuse_entering));
}

TEST(RefusedSandbox, LeavesOneWorker) {
  EXPECT_TRUE(where_refused(
      [] { return workers_at_once({.path = "/bin/true", .directory = "/usr"}, {}, 4) == 1; }));
}

TEST(RefusedSandbox, IsNoWarningWhereNobodyAskedForIt) {
  RunnerOptions options;
  options.scratch_directory = "/tmp";
  options.sandbox = false;
  const Program program = fake_program("serves");
  auto session = ProgramProcess::create(program, options, harmless_library());
  ProcessRunner runner(program, options, std::move(*session));

  const auto run = runner.run({});

  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->warnings, std::vector<std::string>());
  EXPECT_FALSE(run->schedule.sandboxed);
  EXPECT_EQ(workers_at_once(program, options, 4), 1u);
}

}  // namespace
}  // namespace unravel
