/// Small real programs under the injected runtime, in a directory and a store of their own.
#pragma once

#include <gtest/gtest.h>

#include "investigate/runs.hpp"
#include "investigate/stored_run.hpp"
#include "recording_observer.hpp"
#include "run/runner.hpp"
#include "temporary_store.hpp"

namespace unravel {

class Investigated : public testing::Test {
 protected:
  void SetUp() override {
#ifndef UNRAVEL_INVESTIGATED_PROGRAMS
    GTEST_SKIP() << "programs are not run where the driver has sanitizers";
#endif
  }

  /// Puts one of programs/ where the program under test lies, whatever was there before.
  void install(const std::string& name) {
#ifdef UNRAVEL_INVESTIGATED_PROGRAMS
    const std::filesystem::path built = std::filesystem::path(UNRAVEL_INVESTIGATED_PROGRAMS) / name;
    // Not written over: a process may still have it open.
    std::filesystem::remove(file());
    std::filesystem::copy_file(built, file());
#else
    static_cast<void>(name);
#endif
  }

  Program program(const std::string& name) {
    install(name);
    Program found = find_program({file().string()}).value();
    found.directory = store_.home().string();
    return found;
  }

  [[nodiscard]] std::filesystem::path file() const { return store_.home() / "program"; }

  /// Ends no run of a loaded machine, and repeats.
  RunsRequest runs_of(const std::string& name) {
    RunsRequest request;
    request.program = program(name);
    request.judging.timeout = kPatience;
    request.seed = 1;
    request.store = store_.path();
    // Tests change a file between a run and its repetition.
    request.records_inputs = false;
    return request;
  }

  /// Runs the program until it fails, which is kept; the run's id.
  std::string keep_failure_of(const std::string& name) {
    RunsRequest request = runs_of(name);
    request.runs = 500;
    const Result<Ran> ran = run(std::move(request));
    EXPECT_TRUE(ran && ran->run && ran->run->failure) << name << " did not fail";
    return ran && ran->run ? ran->run->id : std::string();
  }

  /// Runs the program once, with as few switches as can be.
  std::string keep_plain_run_of(const std::string& name) {
    RunsRequest request = runs_of(name);
    request.rule = wire::RuleKind::kStay;
    const Result<Ran> ran = run(std::move(request));
    EXPECT_TRUE(ran && ran->run);
    return ran && ran->run ? ran->run->id : std::string();
  }

  Result<Ran> run(RunsRequest request) {
    RecordingObserver observer;
    Result<std::unique_ptr<Runs>> runs = Runs::prepare(std::move(request), observer);
    if (!runs) return fail(runs.error());
    return (*runs)->perform();
  }

  static constexpr std::chrono::milliseconds kPatience{60'000};

  TemporaryStore store_;
  RecordingObserver observer_;
};

}  // namespace unravel
