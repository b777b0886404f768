/// The tables of a store.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>

namespace unravel {

/// Creates all tables of the current version, in an empty database.
void make_tables(SQLite::Database& database);

/// Adds the tables that version 2 did not have.
void add_hunt_tables(SQLite::Database& database);

/// Describes tables that differ from ours, and objects that we never create; empty if all is well.
/// A view in place of a table could compute for ever; a trigger could change what we write.
std::string wrong_tables(const SQLite::Database& database);

}  // namespace unravel
