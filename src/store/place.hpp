/// Decides which directory can become a store, and checks a store's files before they are opened.
#pragma once

#include <filesystem>

#include "base/folder.hpp"
#include "base/result.hpp"

namespace unravel {

/// Creates the directory, readable by us alone, if it does not exist. Refuses a directory of
/// another user, and one that has files but is no store. While the result lives, no other command
/// creates a store there.
Result<Folder> claim_directory(const std::filesystem::path& directory);

/// The store's database, and SQLite's files beside it, must be regular files if they exist.
Result<void> check_database_files(const Folder& store);

/// Whether the directory has only a database that was just created, perhaps incompletely.
bool has_nothing_else(const Folder& store);

}  // namespace unravel
