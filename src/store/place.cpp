#include "store/place.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "base/files.hpp"
#include "store/database.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> kBesideDatabase = {"", "-wal", "-shm", "-journal"};

bool is_of_database(std::string_view name) {
  return name.starts_with(kDatabaseFile) &&
         std::ranges::find(kBesideDatabase, name.substr(kDatabaseFile.size())) !=
             kBesideDatabase.end();
}

Result<void> make_directory(const fs::path& directory) {
  std::error_code error;
  if (directory.has_parent_path()) fs::create_directories(directory.parent_path(), error);
  // The next call reports the error, with the name that the user gave.
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return fail(file_error("create directory", directory, errno));
}

}  // namespace

Result<Folder> claim_directory(const fs::path& directory) {
  const Result<void> made = make_directory(directory);
  if (!made) return fail(made.error());
  Result<Folder> folder = Folder::open(directory);
  if (!folder) return folder;
  if (!folder->is_ours()) {
    return environment_error("the store " + directory.string() + " belongs to another user",
                             "its owner decides which programs are run from it",
                             "choose a directory of your own with --store DIR");
  }
  if (::flock(folder->fd(), LOCK_EX) != 0) return fail(file_error("lock", directory, errno));
  const std::vector<std::string> names = folder->names();
  const bool is_there = std::ranges::find(names, kDatabaseFile) != names.end();
  if (!is_there && !names.empty()) {
    return user_error(
        directory.string() + " is not a store of unravel",
        "it has other files in it (" + names.front() + "), and no " + std::string(kDatabaseFile),
        "name a directory that is new or empty with --store DIR");
  }
  const Result<void> good = check_database_files(*folder);
  if (!good) return fail(good.error());
  if (is_there) return folder;
  // SQLite would make it readable by all users.
  const UniqueFd database(::openat(folder->fd(), std::string(kDatabaseFile).c_str(),
                                   O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!database) return fail(file_error("create", directory / kDatabaseFile, errno));
  return folder;
}

Result<void> check_database_files(const Folder& store) {
  for (const std::string_view end : kBesideDatabase) {
    const std::string name = std::string(kDatabaseFile) + std::string(end);
    struct stat status {};
    if (::fstatat(store.fd(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(status.st_mode)) continue;
    return environment_error(
        "cannot use '" + (store.path() / name).string() + "'",
        S_ISLNK(status.st_mode) ? "it is a symbolic link" : "it is not a regular file",
        "move it away, or choose another directory with --store DIR");
  }
  return {};
}

bool has_nothing_else(const Folder& store) {
  const std::vector<std::string> names = store.names();
  return std::ranges::all_of(names, is_of_database);
}

}  // namespace unravel
