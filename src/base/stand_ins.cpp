#include "base/stand_ins.hpp"

#include <filesystem>
#include <mutex>
#include <utility>

namespace unravel {

namespace {

// Workers of a pool read files at the same time.
struct Root {
  std::mutex mutex;
  std::string path;
};

Root& root() {
  static Root one;
  return one;
}

}  // namespace

void set_root_of_stand_ins(std::string path) {
  const std::lock_guard lock(root().mutex);
  root().path = std::move(path);
}

std::string root_of_stand_ins() {
  const std::lock_guard lock(root().mutex);
  return root().path;
}

std::string file_for(const std::string& path) {
  const std::string top = root_of_stand_ins();
  if (top.empty() || !path.starts_with('/')) return path;
  std::error_code error;
  // Links of this machine are followed first: the loader names libraries by links.
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, error);
  const std::string standing = top + (error ? path : real.string());
  return std::filesystem::is_regular_file(standing, error) ? standing : path;
}

}  // namespace unravel
