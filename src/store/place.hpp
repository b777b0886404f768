/// Where a store may be: which directory can become one, and what a store's files must look like
/// before anything opens them.
#pragma once

#include <filesystem>

#include "base/folder.hpp"
#include "base/result.hpp"

namespace unravel {

/// Makes the directory if there is none, for us alone. Refuses one of another user, and one that
/// has anything in it and is no store. While the result lives, no other command makes a store
/// there.
Result<Folder> claim_directory(const std::filesystem::path& directory);

/// The store's database, and what SQLite puts beside it, are regular files if they are there.
Result<void> check_database_files(const Folder& store);

/// Whether there is nothing but a database that was just made, or half made.
bool has_nothing_else(const Folder& store);

}  // namespace unravel
