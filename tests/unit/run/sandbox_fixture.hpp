/// A directory, and a sandbox around it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "base/files.hpp"
#include "run/sandbox.hpp"

namespace unravel {

namespace fs = std::filesystem;

inline bool write(const fs::path& path, const std::string& text) {
  const UniqueFd file(::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644));
  return file && ::write(file.get(), text.data(), text.size()) == static_cast<int>(text.size());
}

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/var/tmp/unravel-sandbox-XXXXXX";
    directory_ = ::mkdtemp(name);
    ASSERT_TRUE(write(directory_ / "existing", "old"));
    if (const auto refused = why_not_sandboxed(paths())) {
      GTEST_SKIP() << "not permitted here: " << *refused;
    }
  }
  ~SandboxTest() override { fs::remove_all(directory_); }

  SandboxPaths paths() const { return {.directory = directory_.string(), .needed = {}}; }

  std::unique_ptr<Sandbox> make() const {
    auto made = Sandbox::create(paths());
    EXPECT_TRUE(made.has_value()) << made.error().why;
    return std::move(*made);
  }

  /// Whether `act` is true in a process inside.
  bool inside(const Sandbox& sandbox, const std::function<bool()>& act) const {
    const pid_t child = sandbox.fork_inside();
    if (child == 0) ::_exit(::chdir(directory_.c_str()) == 0 && act() ? 0 : 1);
    int status = 1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status == 0;
  }

  fs::path directory_;
};

}  // namespace unravel
