/// A directory for one test, with a store in it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "store/store.hpp"

namespace unravel {

class TemporaryStore {
 public:
  TemporaryStore() {
    std::string name =
        (std::filesystem::temp_directory_path() / "unravel_investigate_XXXXXX").string();
    home_ = ::mkdtemp(name.data());
  }
  ~TemporaryStore() {
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }
  TemporaryStore(const TemporaryStore&) = delete;
  TemporaryStore& operator=(const TemporaryStore&) = delete;

  [[nodiscard]] const std::filesystem::path& home() const { return home_; }
  [[nodiscard]] std::string path() const { return (home_ / kStoreDirectory).string(); }
  Store open() const { return std::move(*Store::open(path(), Store::Access::kWrite)); }
  [[nodiscard]] std::vector<StoredRun> runs() const { return open().list().value().runs; }

 private:
  std::filesystem::path home_;
};

}  // namespace unravel
