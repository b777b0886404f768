/// A run as a row of the store's database.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

#include "base/result.hpp"
#include "store/store.hpp"

namespace unravel {

void insert_row(SQLite::Database& database, const StoredRun& stored);

/// The rows that match `condition` (SQL with at most one `?`), oldest first.
Result<RunList> select_rows(const SQLite::Database& database, const std::string& condition,
                            const std::string& parameter = {});

/// An id becomes part of file names. An id that the store did not create could name any file.
Result<void> check_id(const std::string& id);

/// The program's arguments as one would type them, for people; not safe for a shell.
std::string command_line(const Program& program);

}  // namespace unravel
