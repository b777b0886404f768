#include "store/scratch.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/files.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

UniqueFd open_directory(const fs::path& path) {
  return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

/// A lock that a live command holds on its directory; process ids would not do, since two
/// containers may share a store.
bool lock(const UniqueFd& directory, int how) { return ::flock(directory.get(), how) == 0; }

void remove_leftovers(const fs::path& all) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(all, ignored)) {
    const UniqueFd directory = open_directory(entry.path());
    if (directory && lock(directory, LOCK_EX | LOCK_NB)) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

Result<Scratch> Scratch::make(const fs::path& store) {
  const fs::path all = fs::absolute(store) / "tmp";
  const Result<void> made = ensure_directory(all);
  if (!made) return fail(made.error());
  // Between making a directory and locking it, nobody may look for leftovers.
  const UniqueFd gate = open_directory(all);
  if (!gate || !lock(gate, LOCK_EX)) return fail(file_error("lock", all, errno));
  remove_leftovers(all);

  std::string name = (all / "XXXXXX").string();
  if (!::mkdtemp(name.data())) return fail(file_error("make a directory in", all, errno));
  UniqueFd directory = open_directory(name);
  if (!directory || !lock(directory, LOCK_EX)) return fail(file_error("lock", name, errno));
  return Scratch(name, std::move(directory));
}

Scratch::~Scratch() {
  if (!lock_) return;  // moved from
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace unravel
