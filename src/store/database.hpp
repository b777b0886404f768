/// The store's database: opened, checked, made; SQLite's exceptions end here.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace unravel {

inline constexpr int kStoreVersion = 3;
inline constexpr int kOldestStoreVersion = 2;  // that is still read, and then made a new one

inline constexpr std::string_view kDatabaseFile = "store.db";

/// What an exception of SQLite means to the user.
Error store_error(const SQLite::Exception& exception, const std::filesystem::path& database);

/// Opens a database of this store version, or makes it if `create`. `read_only`: the directory
/// cannot be written to, so that not even a reader's lock can be put there.
Result<SQLite::Database> open_database(const std::filesystem::path& database, bool create,
                                       bool read_only);

/// Runs `action`, which may throw what SQLite throws.
template <class Action>
auto guarded(const std::filesystem::path& database, Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const SQLite::Exception& exception) {
    return fail(store_error(exception, database));
  }
}

}  // namespace unravel
