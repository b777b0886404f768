#include "store/scratch.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <utility>

#include "base/files.hpp"
#include "store/place.hpp"
#include "store/store.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "scratch-";
constexpr std::size_t kDigits = 8;
constexpr const char* kMark = ".unravel-scratch";
constexpr std::string_view kMarkText = "temporary files of one unravel command; may be removed\n";

/// A live command holds a lock on its directory. Process ids would not work: two containers may
/// share a store.
bool lock(int directory, int how) { return ::flock(directory, how) == 0; }

bool has_our_name(std::string_view name) {
  return name.starts_with(kPrefix) && name.size() == kPrefix.size() + kDigits &&
         name.find_first_not_of("0123456789abcdef", kPrefix.size()) == name.npos;
}

/// A command that was killed while it wrote the mark leaves a part of it, or an empty directory.
bool has_our_mark(const Folder& folder) {
  const auto mark = folder.read(kMark, kMarkText.size());
  if (!mark) return false;
  if (!*mark) return folder.names().empty();
  return kMarkText.starts_with(
      std::string_view(reinterpret_cast<const char*>((*mark)->data()), (*mark)->size()));
}

/// Not synced to disk: after a power cut the directory may be empty, or have a part of the mark.
bool put_mark(const Folder& folder) {
  const UniqueFd mark(
      ::openat(folder.fd(), kMark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
  return mark && ::write(mark.get(), kMarkText.data(), kMarkText.size()) ==
                     static_cast<ssize_t>(kMarkText.size());
}

void remove_leftovers(const Folder& all) {
  for (const std::string& name : all.names()) {
    if (!has_our_name(name)) continue;
    const Result<Folder> left = all.inside(name);
    if (left && has_our_mark(*left) && lock(left->fd(), LOCK_EX | LOCK_NB)) {
      all.remove_tree(name, kMark);
    }
  }
}

std::string new_name(const Folder& all) {
  const std::vector<std::string> taken = all.names();
  std::random_device device;
  std::string name;
  do {
    name = kPrefix;
    for (std::size_t i = 0; i < kDigits; ++i) name += "0123456789abcdef"[device() & 15];
  } while (std::find(taken.begin(), taken.end(), name) != taken.end());
  return name;
}

}  // namespace

Result<Scratch> Scratch::make(const fs::path& store) {
  std::error_code error;
  const fs::path directory = fs::absolute(store, error);
  if (error) return fail(file_error("find", store, error.value()));
  if (!Store::exists(directory)) {
    // Otherwise the directory would have files but would not be a store.
    const Result<Store> made = Store::open(directory, Store::Access::kWrite);
    if (!made) return fail(made.error());
  }
  const Result<Folder> opened = claim_directory(directory);
  if (!opened) return fail(opened.error());
  Result<Folder> all = opened->make("tmp");
  if (!all) return fail(all.error());
  // While a directory is created but not yet locked, no other command may look for leftovers.
  const Result<Folder> gate = opened->inside("tmp");
  if (!gate) return fail(gate.error());
  if (!lock(gate->fd(), LOCK_EX)) return fail(file_error("lock", all->path(), errno));
  remove_leftovers(*all);

  std::string name = new_name(*all);
  const Result<Folder> made = all->make(name);
  if (!made) return fail(made.error());
  if (!put_mark(*made)) {
    const int wrong = errno;
    all->remove_tree(name, kMark);
    return fail(file_error("write in", made->path(), wrong));
  }
  UniqueFd held(::fcntl(made->fd(), F_DUPFD_CLOEXEC, 0));
  if (!held || !lock(held.get(), LOCK_EX)) return fail(file_error("lock", made->path(), errno));
  return Scratch(std::move(*all), std::move(name), std::move(held));
}

Scratch::~Scratch() {
  if (lock_) all_.remove_tree(name_, kMark);  // otherwise it was moved from
}

}  // namespace unravel
