/// The wrappers of the files that a program has loaded, for its runtime.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "data/schedule.hpp"
#include "symbolize/wrappers.hpp"
#include "wire/wrapper.hpp"

namespace unravel {

/// A file of the program, and where it is.
struct LoadedModule {
  ModuleId id;
  std::uint64_t base = 0;
  std::uint64_t end = 0;
};

/// Reads each file once. All workers of a pool use one; safe for use by several threads.
class WrapperTable {
 public:
  /// The rows of all files, sorted; at most wire::kMostWrapperRows: files that do not fit are left
  /// out.
  std::vector<wire::WrapperRow> rows(const std::vector<LoadedModule>& modules);

 private:
  using Ranges = std::shared_ptr<const std::vector<WrapperRange>>;
  Ranges ranges_of(const ModuleId& module);

  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Ranges> known_;  // by path and build id
};

}  // namespace unravel
