#include "store/database.hpp"

#include <sqlite3.h>

#include <string>

#include "base/files.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr int kApplicationId = 0x556e7276;  // "Unrv"

// Longer than any transaction of ours takes, even on a slow disk; shorter than a person waits.
constexpr int kBusyMilliseconds = 20'000;

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
  CREATE TABLE hunts (
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
  CREATE TABLE hunt_rounds (
    hunt   TEXT NOT NULL,
    number INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (hunt, number)
  ) STRICT, WITHOUT ROWID;
)sql";

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(std::string("PRAGMA ") + name).getInt();
}

/// Nothing if the database is new and empty, so that the schema may be made.
Result<bool> is_ours(SQLite::Database& database, const fs::path& path) {
  const int application = pragma(database, "application_id");
  const int version = pragma(database, "user_version");
  const bool has_tables = database.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() > 0;
  if (application == 0 && version == 0 && !has_tables) return false;
  if (application != kApplicationId) {
    return user_error(path.string() + " is not a store of unravel",
                      "it is a database of another program",
                      "choose another directory with --store DIR");
  }
  if (version < kOldestStoreVersion || version > kStoreVersion) {
    const bool newer = version > kStoreVersion;
    return user_error("the store " + path.parent_path().string() + " has version " +
                          std::to_string(version) + ", and this unravel reads version " +
                          std::to_string(kStoreVersion),
                      newer ? "it was made by a newer unravel" : "it was made by an older unravel",
                      newer ? "update unravel, or choose another directory with --store DIR"
                            : "move it away, or choose another directory with --store DIR");
  }
  return true;
}

Result<void> make_schema(SQLite::Database& database, const fs::path& path) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Another command may have made it since we looked.
  const Result<bool> made = is_ours(database, path);
  if (!made) return fail(made.error());
  if (*made) return {};
  database.exec(kSchema);
  database.exec(kHuntSchema);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
  transaction.commit();
  return {};
}

/// Gives a store of an older version what it has not got yet.
void upgrade(SQLite::Database& database) {
  if (pragma(database, "user_version") == kStoreVersion) return;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (pragma(database, "user_version") == kStoreVersion) return;  // another command has done it
  database.exec(kHuntSchema);
  database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
  transaction.commit();
}

/// What SQLite itself says is wrong with a database, in one line.
std::string quick_check(const fs::path& path) {
  try {
    SQLite::Database database(path.string(), SQLite::OPEN_READONLY, kBusyMilliseconds);
    SQLite::Statement check(database, "PRAGMA quick_check(1)");
    if (check.executeStep()) return check.getColumn(0).getString();
  } catch (const SQLite::Exception& exception) {
    return exception.what();
  }
  return "its check says nothing";
}

/// A path as SQLite wants it in a URI.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char c : path.string()) {
    if (c == '%' || c == '?' || c == '#') {
      text += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    } else {
      text += c;
    }
  }
  return text;
}

Result<SQLite::Database> open_checked(const fs::path& path, bool create, bool read_only) {
  const int flags = read_only ? SQLite::OPEN_READONLY | SQLite::OPEN_URI
                              : SQLite::OPEN_READWRITE | (create ? SQLite::OPEN_CREATE : 0);
  const std::string name = read_only ? "file:" + escaped(path) + "?immutable=1" : path.string();
  SQLite::Database database(name, flags, kBusyMilliseconds);
  if (!read_only) {
    // Readers do not hold up a writer; a power cut may cost the last run, never the store.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
  }
  const Result<bool> ours = is_ours(database, path);
  if (!ours) return fail(ours.error());
  if (!*ours) {
    if (read_only) return user_error("there is no run in " + path.parent_path().string());
    const Result<void> made = make_schema(database, path);
    if (!made) return fail(made.error());
  } else if (!read_only) {
    upgrade(database);
  }
  return database;
}

}  // namespace

Error store_error(const SQLite::Exception& exception, const fs::path& database) {
  const std::string directory = database.parent_path().string();
  const std::string why = exception.what();
  switch (exception.getErrorCode()) {
    case SQLITE_FULL:
      return {Error::Kind::kEnvironment, "cannot write to the store " + directory, why,
              "free some disk space, or choose another place with --store DIR"};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return {Error::Kind::kEnvironment, "cannot write to the store " + directory, why,
              "check its permissions, or choose another place with --store DIR"};
    case SQLITE_CANTOPEN:
      return {Error::Kind::kEnvironment, "cannot open the store " + directory, why,
              "check its permissions, or choose another place with --store DIR"};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Error::Kind::kEnvironment, "the store " + directory + " is in use",
              "another command has been writing to it for " +
                  std::to_string(kBusyMilliseconds / 1000) + " seconds",
              "wait for it to end, or choose another place with --store DIR"};
    case SQLITE_NOTADB:
      return {Error::Kind::kUser, database.string() + " is not a store of unravel", why,
              "move it away, or choose another directory with --store DIR"};
    case SQLITE_CORRUPT:
      return {Error::Kind::kEnvironment, "the store " + directory + " is damaged",
              quick_check(database),
              "move it away (the schedules in " + directory +
                  "/runs can still be run with `unravel run --schedule FILE`)"};
    case SQLITE_IOERR:
      return {Error::Kind::kEnvironment, "cannot read or write the store " + directory,
              why + " (is the disk full?)", "choose another place with --store DIR"};
    default: return {Error::Kind::kInternal, "the store " + directory + " failed", why, {}};
  }
}

Result<SQLite::Database> open_database(const fs::path& database, bool create, bool read_only) {
  return guarded(database, [&] { return open_checked(database, create, read_only); });
}

}  // namespace unravel
