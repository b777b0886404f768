#include "run/isolation_places.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporary = "/tmp";
constexpr const char* kSharedMemory = "/dev/shm";
constexpr mode_t kForEverybody = 01777;

/// The system call that was just made, in words.
Result<void> check(bool good, std::string what) {
  if (good) return {};
  return environment_error(std::move(what), std::strerror(errno));
}

std::string path_of(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  return error ? std::string() : found.string();
}

bool is_empty(const std::string& directory) {
  std::error_code error;
  return fs::is_empty(directory, error) || error;
}

std::vector<fs::path> entries_of(const std::string& directory) {
  std::error_code ignored;
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    entries.push_back(entry.path());
  }
  return entries;
}

void remove_content(const std::string& directory) {
  std::error_code ignored;
  for (const fs::path& entry : entries_of(directory)) fs::remove_all(entry, ignored);
}

}  // namespace

bool is_in(std::string_view path, std::string_view directory) {
  if (!path.starts_with(directory)) return false;
  return path.size() == directory.size() || directory == "/" || path[directory.size()] == '/';
}

std::vector<std::string> mount_points(std::string_view mountinfo) {
  constexpr int kField = 4;  // of a line, counted from 0
  std::vector<std::string> points;
  while (!mountinfo.empty()) {
    std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(mountinfo.size(), line.size() + 1));
    for (int field = 0; field < kField; ++field) {
      line.remove_prefix(std::min(line.size(), std::min(line.find(' '), line.size()) + 1));
    }
    line = line.substr(0, line.find(' '));
    std::string point;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 3 < line.size()) {
        // A space, tab, newline or backslash, as three octal digits.
        point += static_cast<char>((line[i + 1] - '0') * 64 + (line[i + 2] - '0') * 8 +
                                   (line[i + 3] - '0'));
        i += 3;
      } else {
        point += line[i];
      }
    }
    if (!point.empty()) points.push_back(std::move(point));
  }
  return points;
}

Result<Places> Places::create(const IsolatedPaths& paths, bool in_user_namespace) {
  Places places(in_user_namespace);
  if (auto found = places.find(paths); !found) return fail(found.error());
  // It needs a name to be mounted at, and the overlay over /tmp hides it again.
  const bool is_mounted = ::mount("tmpfs", kTemporary, "tmpfs", 0, "mode=0755") == 0;
  if (auto good = check(is_mounted, "cannot mount over /tmp"); !good) return fail(good.error());
  places.memory_.reset(::open(kTemporary, O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (Place& place : places.places_) {
    if (auto mounted = places.mount(place); !mounted) return fail(mounted.error());
  }
  return places;
}

Result<void> Places::find(const IsolatedPaths& paths) {
  const std::string directory = canonical(paths.directory);
  const std::string temporary = canonical(kTemporary);
  const std::string shared_memory = canonical(kSharedMemory);
  if (directory.empty() || temporary.empty()) {
    return environment_error("the working directory or /tmp is gone");
  }
  // An overlay shows no devices to an ordinary user, and nothing can be mounted over the root.
  if (is_in("/dev", directory)) {
    return environment_error("the working directory is " + directory);
  }
  const auto mounts = read_text_file("/proc/self/mountinfo");
  if (!mounts) return fail(mounts.error());

  if (auto added = add(temporary, true); !added) return added;
  if (!shared_memory.empty()) {
    const bool is_needed =
        is_in(directory, shared_memory) ||
        std::any_of(paths.needed.begin(), paths.needed.end(), [&](const std::string& needed) {
          return is_in(canonical(needed), shared_memory);
        });
    if (auto added = add(shared_memory, is_needed); !added) return added;
  }
  const bool is_inside = std::any_of(places_.begin(), places_.end(), [&](const Place& place) {
    return is_in(directory, place.path);
  });
  if (!is_inside) {
    if (auto added = add(directory, true); !added) return added;
  }

  // What is mounted inside would be hidden.
  const std::size_t outermost = places_.size();
  for (const std::string& point : mount_points(*mounts)) {
    for (std::size_t i = 0; i < outermost; ++i) {
      if (!places_[i].lower || !is_in(point, places_[i].path)) continue;
      if (auto added = add(point, true); !added) return added;
      break;
    }
  }
  std::sort(places_.begin(), places_.end(),
            [](const Place& a, const Place& b) { return a.path < b.path; });
  return {};
}

Result<void> Places::add(std::string path, bool shows_real) {
  for (const Place& place : places_) {
    if (place.path == path) return {};
  }
  Place place;
  if (shows_real) {
    place.lower.reset(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!place.lower) return fail(file_error("open", path, errno));
    struct stat status {};
    ::fstat(place.lower.get(), &status);
    place.is_overlay = S_ISDIR(status.st_mode);
  }
  place.path = std::move(path);
  places_.push_back(std::move(place));
  return {};
}

std::string Places::layer(const Place& place, std::string_view name) const {
  const auto index = static_cast<std::size_t>(&place - places_.data());
  return path_of(memory_.get()) + "/" + std::to_string(index) + "." + std::string(name);
}

std::string Places::upper(const Place& place, int generation) const {
  return layer(place, std::to_string(generation));
}

Result<void> Places::mount(Place& place) {
  if (!place.is_overlay) return mount_again(place);
  const std::string failed = "cannot mount over " + place.path;
  struct stat like {};
  like.st_mode = kForEverybody;
  like.st_uid = ::geteuid();
  like.st_gid = ::getegid();
  std::string lower = place.has_start ? layer(place, "start") + ":" : "";
  if (place.lower) {
    ::fstat(place.lower.get(), &like);
    lower += path_of(place.lower.get());
  } else {
    lower += layer(place, "empty");
    const bool is_there = ::mkdir(layer(place, "empty").c_str(), 0755) == 0 || errno == EEXIST;
    if (auto good = check(is_there, failed); !good) return good;
  }
  const int generation = ++generations_;
  const std::string written = upper(place, generation);
  const std::string work = written + ".work";
  bool good = ::mkdir(written.c_str(), 0700) == 0 && ::mkdir(work.c_str(), 0700) == 0;
  // The layer's own mode is the directory's. An ordinary user cannot give it away.
  [[maybe_unused]] const int ignored = ::chown(written.c_str(), like.st_uid, like.st_gid);
  good = good && ::chmod(written.c_str(), like.st_mode & 07777) == 0;

  // Inode numbers as they are outside: by them a process's code is found again.
  const std::string options = "lowerdir=" + lower + ",upperdir=" + written + ",workdir=" + work +
                              ",index=off,xino=off" + (in_user_namespace_ ? ",userxattr" : "");
  good = good && ::mount("overlay", place.path.c_str(), "overlay", 0, options.c_str()) == 0;
  if (!good) return check(false, failed);
  ++place.mounts;
  place.current = generation;
  if (place.mounts == 1) place.base = generation;
  return {};
}

/// A single file that is mounted somewhere inside.
Result<void> Places::mount_again(Place& place) {
  ++place.mounts;
  return check(::mount(path_of(place.lower.get()).c_str(), place.path.c_str(), nullptr,
                       MS_BIND | MS_REC, nullptr) == 0,
               "cannot mount over " + place.path);
}

Result<void> Places::unmount(Place& place) {
  --place.mounts;
  return check(::umount2(place.path.c_str(), MNT_DETACH) == 0, "cannot unmount " + place.path);
}

void Places::forget(Place& place, int generation) {
  if (!place.is_overlay) return;
  const std::string written = upper(place, generation);
  // The program's own mount stays where it is, for the sake of what it has mapped from there.
  if (generation == place.base && place.mounts > 0) return remove_content(written);
  std::error_code error;
  fs::remove_all(written, error);
  fs::remove_all(written + ".work", error);
}

bool Places::wrote(const Place& place) const {
  return place.is_overlay && !is_empty(upper(place, place.current));
}

std::vector<bool> Places::with_inner(std::vector<bool> chosen) const {
  for (std::size_t outer = 0; outer < places_.size(); ++outer) {
    for (std::size_t inner = outer + 1; inner < places_.size() && chosen[outer]; ++inner) {
      if (is_in(places_[inner].path, places_[outer].path)) chosen[inner] = true;
    }
  }
  return chosen;
}

Result<void> Places::renew() {
  std::vector<bool> chosen;
  for (const Place& place : places_) {
    chosen.push_back(place.mounts != 1 || place.has_start || wrote(place));
  }
  chosen = with_inner(std::move(chosen));
  for (std::size_t i = places_.size(); i-- > 0;) {
    while (chosen[i] && places_[i].mounts > 0) {
      if (auto gone = unmount(places_[i]); !gone) return gone;
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (!chosen[i]) continue;
    forget(place, place.base);
    if (place.current != place.base) forget(place, place.current);
    std::error_code ignored;
    fs::remove_all(layer(place, "start"), ignored);
    place.has_start = false;
    if (auto mounted = mount(place); !mounted) return mounted;
  }
  return {};
}

Result<void> Places::end_start() {
  std::vector<bool> chosen;
  for (Place& place : places_) {
    chosen.push_back(wrote(place));
    if (!chosen.back()) continue;
    if (auto kept = keep_start(place); !kept) return kept;
  }
  chosen = with_inner(std::move(chosen));
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!chosen[i]) continue;
    if (auto mounted = mount(places_[i]); !mounted) return mounted;
  }
  return {};
}

/// The start's files move under every later layer. Its process still has the mount over them, but
/// a run looks at nothing there any more.
Result<void> Places::keep_start(Place& place) {
  const fs::path start = layer(place, "start");
  bool good = ::mkdir(start.c_str(), 0755) == 0;
  for (const fs::path& entry : entries_of(upper(place, place.current))) {
    good = good && ::rename(entry.c_str(), (start / entry.filename()).c_str()) == 0;
  }
  place.has_start = true;
  return check(good, "cannot keep what was written before the first thread");
}

Result<void> Places::reset() {
  std::vector<bool> chosen;
  for (const Place& place : places_) chosen.push_back(wrote(place));
  chosen = with_inner(std::move(chosen));
  for (std::size_t i = places_.size(); i-- > 0;) {
    if (!chosen[i] || places_[i].mounts < 2) continue;
    if (auto gone = unmount(places_[i]); !gone) return gone;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    if (!chosen[i]) continue;
    const int old = place.current;
    if (auto mounted = mount(place); !mounted) return mounted;
    forget(place, old);
  }
  return {};
}

UniqueFd Places::open_start(const Place& place) const {
  if (!place.has_start) return {};
  return UniqueFd(::open(layer(place, "start").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

UniqueFd Places::open_current(const Place& place) const {
  if (!place.is_overlay) return {};
  return UniqueFd(::open(upper(place, place.current).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace unravel
