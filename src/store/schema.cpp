#include "store/schema.hpp"

#include <set>
#include <utility>

namespace unravel {

namespace {

constexpr const char* kSchema = R"sql(
  CREATE TABLE runs (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL UNIQUE,
    created       INTEGER NOT NULL,
    command       TEXT NOT NULL,
    outcome       TEXT NOT NULL,
    kind          TEXT,
    key           TEXT,
    detail        TEXT,
    threads       INTEGER NOT NULL,
    steps         INTEGER NOT NULL,
    switches      INTEGER NOT NULL,
    preemptions   INTEGER NOT NULL,
    operations    INTEGER NOT NULL,
    points        TEXT NOT NULL,
    strategy      TEXT NOT NULL,
    ordinal       INTEGER NOT NULL,
    seed          INTEGER NOT NULL,
    seconds       REAL NOT NULL,
    schedule_hash INTEGER NOT NULL,
    unverified    INTEGER NOT NULL,
    details       BLOB NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_outcome ON runs (outcome, number);
  CREATE TABLE counters (
    command  TEXT NOT NULL,
    strategy TEXT NOT NULL,
    outcome  TEXT NOT NULL,
    runs     INTEGER NOT NULL,
    steps    INTEGER NOT NULL,
    seconds  REAL NOT NULL,
    PRIMARY KEY (command, strategy, outcome)
  ) STRICT, WITHOUT ROWID;
)sql";

// Since version 3.
constexpr const char* kHuntSchema = R"sql(
  CREATE TABLE IF NOT EXISTS hunts (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT NOT NULL UNIQUE,
    command   TEXT NOT NULL,
    directory TEXT NOT NULL,
    build     TEXT NOT NULL,
    strategy  TEXT NOT NULL,
    seed      INTEGER NOT NULL,
    runs      INTEGER NOT NULL,
    seconds   REAL NOT NULL,
    ended     INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hunt_rounds (
    hunt   TEXT NOT NULL,
    number INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (hunt, number)
  ) STRICT, WITHOUT ROWID;
)sql";

/// All pairs of table and column; computed columns do not count.
std::set<std::pair<std::string, std::string>> columns_of(const SQLite::Database& database) {
  SQLite::Statement select(database, R"sql(
    SELECT tables.name, columns.name
    FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.hidden = 0)sql");
  std::set<std::pair<std::string, std::string>> columns;
  while (select.executeStep()) {
    columns.emplace(select.getColumn(0).getString(), select.getColumn(1).getString());
  }
  return columns;
}

}  // namespace

void make_tables(SQLite::Database& database) {
  database.exec(kSchema);
  add_hunt_tables(database);
}

void add_hunt_tables(SQLite::Database& database) { database.exec(kHuntSchema); }

std::string wrong_tables(const SQLite::Database& database) {
  SQLite::Statement foreign(
      database, "SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index')");
  if (foreign.executeStep()) {
    return "it has a " + foreign.getColumn(0).getString() + " '" +
           foreign.getColumn(1).getString() + "', which unravel never makes";
  }
  SQLite::Database fresh(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  make_tables(fresh);
  const auto there = columns_of(database);
  for (const auto& wanted : columns_of(fresh)) {
    if (wanted.first.starts_with("sqlite_") || there.contains(wanted)) continue;
    const auto table = there.lower_bound({wanted.first, ""});
    if (table == there.end() || table->first != wanted.first) {
      return "it has no table '" + wanted.first + "'";
    }
    return "its table '" + wanted.first + "' has no column '" + wanted.second + "'";
  }
  return {};
}

}  // namespace unravel
