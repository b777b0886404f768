/// A process runner whose programs are fake ones.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "fake_program.hpp"
#include "run/process_runner.hpp"

namespace unravel {

using std::chrono::milliseconds;

// For runs that hang; the others of the same batch must end within it, on a loaded machine too.
inline constexpr milliseconds kShort{1000};

class ProcessRunnerTest : public testing::Test {
 protected:
  ProcessRunnerTest() {
    options_.scratch_directory = std::filesystem::temp_directory_path().string();
    // Long enough for a loaded machine to run what does not hang.
    options_.limits.timeout = milliseconds(60'000);
  }

  ProcessRunner runner(const std::string& act) {
    const Program program = fake_program(act);
    auto session = ProgramProcess::create(program, options_, harmless_library());
    EXPECT_TRUE(session.has_value());
    return ProcessRunner(program, options_, std::move(*session));
  }

  RunnerOptions options_;
};

}  // namespace unravel
