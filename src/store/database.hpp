/// Opens, checks and creates the store's database. SQLite's exceptions do not leave this file.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/result.hpp"

namespace unravel {

inline constexpr int kStoreVersion = 3;
inline constexpr int kOldestStoreVersion = 2;  // still readable; it is upgraded when opened

inline constexpr std::string_view kDatabaseFile = "store.db";

/// Turns an exception of SQLite into an error for the user.
Error store_error(const SQLite::Exception& exception, const std::filesystem::path& database);

/// Opens a database of this store version, or creates it if `create`. `read_only`: the directory
/// cannot be written, so not even a reader's lock can be created there.
Result<SQLite::Database> open_database(const std::filesystem::path& database, bool create,
                                       bool read_only);

/// Runs `action` and turns exceptions of SQLite into errors.
template <class Action>
auto guarded(const std::filesystem::path& database, Action action) -> decltype(action()) {
  try {
    return action();
  } catch (const SQLite::Exception& exception) {
    return fail(store_error(exception, database));
  }
}

}  // namespace unravel
