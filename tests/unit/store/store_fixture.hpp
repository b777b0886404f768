/// A store in a temporary directory, and runs to keep in it.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>

#include <filesystem>

#include "store/store.hpp"

namespace unravel {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    std::string name = (fs::temp_directory_path() / "unravel_store_XXXXXX").string();
    home_ = ::mkdtemp(name.data());
    directory_ = home_ / ".unravel";
  }
  ~StoreTest() override { fs::remove_all(home_); }

  Store open() { return std::move(Store::open(directory_, Store::Access::kWrite).value()); }

  void execute(const char* sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((directory_ / "store.db").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

  fs::path home_;
  fs::path directory_;
};

inline Run passed_run() {
  Run run;
  run.program = {{"./prog", "a b"}, "/home/me/prog", "/home/me"};
  run.summary.threads = 3;
  run.summary.steps = 41;
  run.summary.seed = ~std::uint64_t{0};
  run.summary.schedule_hash = std::uint64_t{1} << 63;
  run.strategy = "random";
  run.schedule.complete = true;
  run.schedule.slices.resize(2);
  run.output = "hello\n";
  return run;
}

inline Run failed_run() {
  Run run = passed_run();
  run.summary.outcome = Outcome::kFailed;
  run.summary.failure = FailureKind::kAssert;
  run.failure =
      Failure{.kind = FailureKind::kAssert, .detail = "x == 1", .key = "assert main a.c:3"};
  run.steps.resize(4);
  run.constraints.resize(1);
  run.constraints[0].first.function = "worker";
  run.warnings = {"mind the gap"};
  return run;
}

}  // namespace unravel
