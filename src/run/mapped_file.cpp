#include "run/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/files.hpp"
#include "base/stand_ins.hpp"
#include "base/unique_fd.hpp"

namespace unravel {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const UniqueFd file(::open(file_for(path).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file || ::fstat(file.get(), &status) != 0) return fail(file_error("read", path, errno));
  if (status.st_size == 0) return MappedFile({});
  const auto size = static_cast<std::size_t>(status.st_size);
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (bytes == MAP_FAILED) return fail(file_error("read", path, errno));
  return MappedFile({static_cast<const std::byte*>(bytes), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace unravel
