#include "store/database.hpp"

#include <sqlite3.h>

#include <string>
#include <utility>

#include "base/files.hpp"
#include "store/place.hpp"
#include "store/schema.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr int kApplicationId = 0x556e7276;  // "Unrv"

// Longer than any transaction of ours takes, even on a slow disk; shorter than a person's patience.
// Chosen by hand.
constexpr int kBusyMilliseconds = 20'000;

// The longest row that we write, a failure with the stacks of thousands of threads, has some
// megabytes.
constexpr int kMostBytesOfValue = 256 << 20;

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(std::string("PRAGMA ") + name).getInt();
}

Error damaged_store(const std::string& directory, std::string why) {
  return {Error::Kind::kEnvironment, "the store " + directory + " is damaged", std::move(why),
          "move it away (the schedules in " + directory +
              "/runs can still be run with `unravel run --schedule FILE`)"};
}

/// Returns false if the database is new and empty, so the schema may be created.
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
  // Another command may have created it in the meantime.
  const Result<bool> made = is_ours(database, path);
  if (!made) return fail(made.error());
  if (*made) return {};
  const Result<Folder> folder = Folder::open(path.parent_path());
  if (!folder) return fail(folder.error());
  if (!has_nothing_else(*folder)) {
    return user_error(
        path.parent_path().string() + " is not a store of unravel",
        "it has other files in it, and its " + std::string(kDatabaseFile) + " is empty",
        "name a directory that is new or empty with --store DIR");
  }
  make_tables(database);
  database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
  transaction.commit();
  return {};
}

/// Upgrades a store of an older version.
void upgrade(SQLite::Database& database) {
  if (pragma(database, "user_version") == kStoreVersion) return;
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  if (pragma(database, "user_version") == kStoreVersion) return;  // another command has upgraded it
  add_hunt_tables(database);
  database.exec("PRAGMA user_version = " + std::to_string(kStoreVersion));
  transaction.commit();
}

/// SQLite's own description of what is wrong with a database, in one line.
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
  ::sqlite3_limit(database.getHandle(), SQLITE_LIMIT_LENGTH, kMostBytesOfValue);
  // Do not trust the schema of a database that somebody else made.
  database.exec("PRAGMA trusted_schema = OFF");
  const Result<bool> ours = is_ours(database, path);
  if (!ours) return fail(ours.error());
  if (!*ours) {
    if (read_only) return user_error("there is no run in " + path.parent_path().string());
    const Result<void> made = make_schema(database, path);
    if (!made) return fail(made.error());
  }
  if (!read_only) {
    // With WAL, readers do not block a writer, and a power cut may lose the last run but never the
    // store. This changes the file, so ownership is checked first.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    upgrade(database);
  }
  if (read_only && pragma(database, "user_version") != kStoreVersion) return database;
  if (const std::string wrong = wrong_tables(database); !wrong.empty()) {
    return fail(damaged_store(path.parent_path().string(), wrong));
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
    // Our statements fit our tables, so the database is damaged or foreign. The same holds for a
    // value that is too long.
    case SQLITE_ERROR:
    case SQLITE_TOOBIG: return damaged_store(directory, why);
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
    case SQLITE_CORRUPT: return damaged_store(directory, quick_check(database));
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
