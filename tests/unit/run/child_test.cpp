#include "run/child.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace unravel {
namespace {

TEST(Child, ThatIsNobodyKillsNobody) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::setpgid(0, 0);  // so that a kill of the whole group would not reach the tests
    ::_exit(Child().end());
  }

  int status = -1;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace unravel
