#include "run/sandbox_places.hpp"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "run/sandbox_stand_ins.hpp"

namespace unravel {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemporary = "/tmp";
constexpr const char* kSharedMemory = "/dev/shm";
constexpr mode_t kForEverybody = 01777;

/// Turns the result of the last system call into an error in words.
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

/// Chooses an overlay if the file system's type allows one.
void choose_kind(SandboxPlace& place, std::string_view type) {
  struct stat status {};
  place.is_overlay =
      !is_interface(type) && ::fstat(place.lower.get(), &status) == 0 && S_ISDIR(status.st_mode);
  place.flags = place.is_overlay ? restrictions_of(place.lower.get()) : 0;
}

SandboxPlace* find_place(std::vector<SandboxPlace>& places, const std::string& path) {
  const auto found = std::find_if(places.begin(), places.end(),
                                  [&](const SandboxPlace& place) { return place.path == path; });
  return found == places.end() ? nullptr : &*found;
}

/// Adds the mounts below those places that show real files.
void add_mounts_inside(std::vector<SandboxPlace>& places, const std::vector<MountPoint>& points) {
  std::vector<std::string> shown;
  for (const SandboxPlace& place : places) {
    if (place.lower) shown.push_back(place.path);
  }
  for (const MountPoint& point : points) {
    if (SandboxPlace* same = find_place(places, point.path)) {
      same->is_mount = true;
      // Of several mounts at one path, the last one is visible.
      if (!same->is_wanted) choose_kind(*same, point.type);
      continue;
    }
    const bool is_inside = std::any_of(shown.begin(), shown.end(), [&](const std::string& path) {
      return is_in(point.path, path);
    });
    UniqueFd top = is_inside ? open_mount(point.path) : UniqueFd();
    if (!top) continue;
    SandboxPlace place{.path = point.path, .lower = std::move(top), .is_mount = true};
    choose_kind(place, point.type);
    places.push_back(std::move(place));
  }
}

void remove_content(const std::string& directory) {
  std::error_code ignored;
  for (const fs::path& entry : entries_of(directory)) fs::remove_all(entry, ignored);
}

}  // namespace

Result<SandboxPlaces> SandboxPlaces::create(const SandboxPaths& paths, bool in_user_namespace) {
  SandboxPlaces places(in_user_namespace);
  auto found = places.find(paths);
  if (!found) return fail(found.error());
  if (auto made = places.make_memory(); !made) return fail(made.error());
  if (!paths.stand_ins.empty()) {
    const std::string copy = path_of(places.memory_.get()) + "/stand-ins";
    if (auto copied = copy_stand_ins(paths.stand_ins, copy); !copied) return fail(copied.error());
    for (SandboxPlace& place : *found) {
      place.stand_ins.reset(::open((copy + place.path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
  }

  places.places_.reserve(found->size());
  for (SandboxPlace& place : *found) {
    // A program must not run without its stand-ins: another one would be started.
    const bool is_needed = place.path == places.meter_ || place.stand_ins;
    auto added = places.add(std::move(place));
    if (!added && is_needed) return fail(added.error());
  }
  return places;
}

/// The file system must be mounted at a path, and the overlay over that directory hides it again.
/// The runtime checks the same file system to see whether anything was written.
Result<void> SandboxPlaces::make_memory() {
  const std::string shared_memory = canonical(kSharedMemory);
  meter_ = shared_memory.empty() ? canonical(kTemporary) : shared_memory;
  const bool is_mounted = ::mount("tmpfs", meter_.c_str(), "tmpfs", 0, "mode=0755") == 0;
  if (auto good = check(is_mounted, "cannot mount over " + meter_); !good) return good;
  memory_.reset(::open(meter_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  return {};
}

/// The places that may have to be mounted, outer ones first.
Result<std::vector<SandboxPlace>> SandboxPlaces::find(const SandboxPaths& paths) const {
  const bool has_directory = paths.stand_ins.empty() || can_enter(paths.directory);
  const std::string directory = has_directory ? canonical(paths.directory) : std::string();
  const std::string temporary = canonical(kTemporary);
  const std::string shared_memory = canonical(kSharedMemory);
  if ((directory.empty() && has_directory) || temporary.empty()) {
    return environment_error("the working directory or /tmp is gone");
  }
  // For an ordinary user, an overlay shows no devices. Nothing can be mounted over the root.
  if (has_directory && is_in("/dev", directory)) {
    return environment_error("the working directory is " + directory);
  }
  const auto mounts = read_text_file("/proc/self/mountinfo");
  if (!mounts) return fail(mounts.error());
  const bool needs_shared_memory =
      (has_directory && is_in(directory, shared_memory)) ||
      std::any_of(paths.needed.begin(), paths.needed.end(), [&](const std::string& needed) {
        return is_in(canonical(needed), shared_memory);
      });

  std::vector<std::string> wanted = {temporary, shared_memory, directory};
  if (!paths.stand_ins.empty()) {
    if (auto added = add_places_of(paths.stand_ins, "/", wanted); !added)
      return fail(added.error());
  }
  std::vector<SandboxPlace> found;
  for (const std::string& path : wanted) {
    if (path.empty() || find_place(found, path)) continue;
    UniqueFd real(::open(path.c_str(), O_PATH | O_CLOEXEC));
    if (!real) return fail(file_error("open", path, errno));
    SandboxPlace place{.path = path, .lower = {}, .is_wanted = true};
    place.flags = restrictions_of(real.get());
    if (path != shared_memory || needs_shared_memory) place.lower = std::move(real);
    found.push_back(std::move(place));
  }

  add_mounts_inside(found, mount_points(*mounts));
  std::sort(found.begin(), found.end(),
            [](const SandboxPlace& a, const SandboxPlace& b) { return a.path < b.path; });
  return found;
}

const SandboxPlace* SandboxPlaces::place_around(std::string_view path) const {
  const auto found = std::find_if(places_.rbegin(), places_.rend(), [&](const SandboxPlace& place) {
    return is_in(path, place.path);
  });
  return found == places_.rend() ? nullptr : &*found;
}

/// Mounts the place unless an outer one covers it. If no overlay is possible, a mount that must
/// stay in its place is mounted there again, unchanged.
Result<void> SandboxPlaces::add(SandboxPlace place) {
  const SandboxPlace* outer = place_around(place.path);
  const bool is_seen_as_it_is = !outer && !place.is_wanted;
  // An ordinary user cannot copy directories of other users into the layer of the outer place, such
  // as a directory between /tmp and the working directory.
  const bool is_covered =
      outer && outer->is_overlay && place.lower && !place.is_mount && !in_user_namespace_;
  const bool came_with_outer = outer && !outer->is_overlay && !place.is_wanted;
  if (is_seen_as_it_is || is_covered || came_with_outer) return {};

  place.number = static_cast<int>(places_.size());
  auto mounted = mount(place);
  if (!mounted && place.is_overlay) {
    if (place.is_wanted) explain(place, mounted.error());
    if (!outer || !place.is_mount || !place.lower) return mounted;
    place.is_overlay = false;
    mounted = mount(place);
  }
  if (mounted) {
    places_.push_back(std::move(place));
  } else if (!place.is_wanted) {
    explain(place, mounted.error());
  }
  return mounted;
}

void SandboxPlaces::explain(const SandboxPlace& place, const Error& error) {
  if (!why_partly_.empty()) why_partly_ += ", ";
  why_partly_ += error.what + ": " + error.why;
  // Otherwise an ordinary user could look below mounts that root made.
  if (in_user_namespace_ && place.is_wanted && error.why == std::strerror(EINVAL)) {
    why_partly_ += " (only root can, if a file system is mounted below it)";
  }
}

std::string SandboxPlaces::layer(const SandboxPlace& place, std::string_view name) const {
  return path_of(memory_.get()) + "/" + std::to_string(place.number) + "." + std::string(name);
}

std::string SandboxPlaces::upper(const SandboxPlace& place, int generation) const {
  return layer(place, std::to_string(generation));
}

Result<void> SandboxPlaces::mount(SandboxPlace& place) {
  if (!place.is_overlay) return mount_again(place);
  const std::string failed = "cannot mount over " + place.path;
  struct stat like {};
  like.st_mode = kForEverybody;
  like.st_uid = ::geteuid();
  like.st_gid = ::getegid();
  std::string lower = place.has_start ? layer(place, "start") + ":" : "";
  if (place.stand_ins) lower += path_of(place.stand_ins.get()) + ":";
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
  // The layer has the mode of the directory. An ordinary user cannot change its owner.
  [[maybe_unused]] const int ignored = ::chown(written.c_str(), like.st_uid, like.st_gid);
  good = good && ::chmod(written.c_str(), like.st_mode & 07777) == 0;

  // All files of an overlay should be on one device: programs take a change of device for a mount
  // point.
  const std::string options = "lowerdir=" + lower + ",upperdir=" + written + ",workdir=" + work +
                              ",index=off,xino=on" + (in_user_namespace_ ? ",userxattr" : "");
  good =
      good && ::mount("overlay", place.path.c_str(), "overlay", place.flags, options.c_str()) == 0;
  if (!good) return check(false, failed);
  ++place.mounts;
  place.current = generation;
  if (place.mounts == 1) place.base = generation;
  return {};
}

/// Mounts again, with everything mounted below it, what does not support an overlay, such as a
/// single file.
Result<void> SandboxPlaces::mount_again(SandboxPlace& place) {
  const bool good = ::mount(path_of(place.lower.get()).c_str(), place.path.c_str(), nullptr,
                            MS_BIND | MS_REC, nullptr) == 0;
  if (good) ++place.mounts;
  return check(good, "cannot mount over " + place.path);
}

Result<void> SandboxPlaces::unmount(SandboxPlace& place) {
  --place.mounts;
  return check(::umount2(place.path.c_str(), MNT_DETACH) == 0, "cannot unmount " + place.path);
}

void SandboxPlaces::forget(SandboxPlace& place, int generation) {
  if (!place.is_overlay) return;
  const std::string written = upper(place, generation);
  // The program's own mount stays in place, because the program has mapped files from it.
  if (generation == place.base && place.mounts > 0) return remove_content(written);
  std::error_code error;
  fs::remove_all(written, error);
  fs::remove_all(written + ".work", error);
}

bool SandboxPlaces::wrote(const SandboxPlace& place) const {
  return place.is_overlay && !is_empty(upper(place, place.current));
}

std::vector<bool> SandboxPlaces::with_inner(std::vector<bool> chosen) const {
  for (std::size_t outer = 0; outer < places_.size(); ++outer) {
    for (std::size_t inner = outer + 1; inner < places_.size() && chosen[outer]; ++inner) {
      if (is_in(places_[inner].path, places_[outer].path)) chosen[inner] = true;
    }
  }
  return chosen;
}

Result<void> SandboxPlaces::renew() {
  std::vector<bool> chosen;
  for (const SandboxPlace& place : places_) {
    chosen.push_back(place.mounts != 1 || place.has_start || wrote(place));
  }
  chosen = with_inner(std::move(chosen));
  for (std::size_t i = places_.size(); i-- > 0;) {
    while (chosen[i] && places_[i].mounts > 0) {
      if (auto gone = unmount(places_[i]); !gone) return gone;
    }
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    SandboxPlace& place = places_[i];
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

Result<void> SandboxPlaces::end_start() {
  std::vector<bool> chosen;
  for (SandboxPlace& place : places_) {
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

/// The start's files move below every later layer. The start's process still has the mount over
/// them, but no run reads anything there.
Result<void> SandboxPlaces::keep_start(SandboxPlace& place) {
  const fs::path start = layer(place, "start");
  bool good = ::mkdir(start.c_str(), 0755) == 0;
  for (const fs::path& entry : entries_of(upper(place, place.current))) {
    good = good && ::rename(entry.c_str(), (start / entry.filename()).c_str()) == 0;
  }
  place.has_start = true;
  return check(good, "cannot keep what was written before the first thread");
}

Result<void> SandboxPlaces::reset() {
  std::vector<bool> chosen;
  for (const SandboxPlace& place : places_) chosen.push_back(wrote(place));
  chosen = with_inner(std::move(chosen));
  for (std::size_t i = places_.size(); i-- > 0;) {
    if (!chosen[i] || places_[i].mounts < 2) continue;
    if (auto gone = unmount(places_[i]); !gone) return gone;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    SandboxPlace& place = places_[i];
    if (!chosen[i]) continue;
    const int old = place.current;
    if (auto mounted = mount(place); !mounted) return mounted;
    forget(place, old);
  }
  return {};
}

UniqueFd SandboxPlaces::open_start(const SandboxPlace& place) const {
  if (!place.has_start) return {};
  return UniqueFd(::open(layer(place, "start").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

UniqueFd SandboxPlaces::open_current(const SandboxPlace& place) const {
  if (!place.is_overlay) return {};
  return UniqueFd(::open(upper(place, place.current).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace unravel
