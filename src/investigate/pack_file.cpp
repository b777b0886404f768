#include "investigate/pack_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "base/files.hpp"
#include "base/text.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMagicSize = 8;

/// Opening a pipe would wait for somebody who writes to it.
UniqueFd open_for_reading(const std::string& file) {
  return UniqueFd(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

Error cannot_read(const std::string& file, int error) {
  return {Error::Kind::kUser, "cannot read '" + file + "'", std::generic_category().message(error),
          error == ENOENT
              ? "name a file that `unravel pack` wrote, or a run that `unravel list` shows"
              : "check who owns it and its permissions"};
}

/// The hints of files in general name --store, which does not help here.
Error cannot_write(Error error) {
  error.hint = "name another file with -o FILE";
  return error;
}

}  // namespace

bool names_pack(const std::string& name) {
  if (name.find('/') != name.npos || name.ends_with(kPackedEnding)) return true;
  struct stat status {};
  if (name.empty() || ::stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const UniqueFd file = open_for_reading(name);
  std::array<std::byte, kMagicSize> first = {};
  return file && ::read(file.get(), first.data(), first.size()) == kMagicSize &&
         is_packed_run(first);
}

Result<PackedRun> read_pack(const std::string& file) {
  const UniqueFd opened = open_for_reading(file);
  if (!opened) return fail(cannot_read(file, errno));
  struct stat status {};
  if (::fstat(opened.get(), &status) != 0) return fail(cannot_read(file, errno));
  if (!S_ISREG(status.st_mode)) {
    return user_error("cannot read '" + file + "'",
                      S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file",
                      "name a file that `unravel pack` wrote");
  }
  const Result<std::vector<std::byte>> bytes =
      read_descriptor(opened.get(), file, kMostBytesOfPack);
  if (!bytes) return fail(bytes.error());
  Result<PackedRun> packed = decode_packed_run(*bytes);
  if (!packed) {
    Error error = packed.error();
    error.what = file + ": " + error.what;
    if (error.hint.empty()) error.hint = "name a file that `unravel pack` wrote";
    return fail(error);
  }
  return packed;
}

Result<std::uint64_t> write_pack(const std::string& file, const PackedRun& packed, bool replaces) {
  struct stat status {};
  const bool is_there = ::lstat(file.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode)) {
    return user_error("cannot write '" + file + "'", "there is something else of this name",
                      "name another file with -o FILE");
  }
  if (is_there && !replaces) {
    return user_error("the file '" + file + "' exists", {}, "add --force to replace it");
  }
  const std::vector<std::byte> bytes = encode(packed);
  if (bytes.size() > kMostBytesOfPack) {
    return user_error(
        "the packed run would have more than " + std::to_string(kMostBytesOfPack >> 20) + " MiB",
        "unravel reads no larger ones", "leave out --with-program");
  }
  const Result<void> written = write_file_atomically(file, bytes);
  if (!written) return fail(cannot_write(written.error()));
  return bytes.size();
}

}  // namespace unravel
