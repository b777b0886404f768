/// What a program that was recorded elsewhere sees at its recorded paths: itself, its libraries and
/// its working directory.
///
/// They lie in a temporary directory of the store. In the sandbox they are seen at their paths; on
/// this machine nothing is written there.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/packed.hpp"
#include "store/scratch.hpp"

namespace unravel {

class RecordedFiles {
 public:
  /// The temporary directory belongs to this store, which is created if it does not exist.
  static Result<std::unique_ptr<RecordedFiles>> make(const std::filesystem::path& store);
  ~RecordedFiles();
  RecordedFiles(const RecordedFiles&) = delete;
  RecordedFiles& operator=(const RecordedFiles&) = delete;

  /// From now on the driver reads programs here, too (base/stand_ins.hpp). The one that was used
  /// last counts.
  void use() const;

  /// A program or library at an absolute path. Nothing is done if the same is there already.
  Result<void> add(const std::string& path, std::string_view content);
  /// An empty directory.
  Result<void> add_directory(const std::string& path);

  [[nodiscard]] bool empty() const { return is_empty_; }
  /// What is in this directory is to be seen at /.
  [[nodiscard]] std::string root() const { return root_.path().string(); }

 private:
  RecordedFiles(Scratch scratch, Folder root)
      : scratch_(std::move(scratch)), root_(std::move(root)) {}
  Result<Folder> folder_for(const std::filesystem::path& directory);

  Scratch scratch_;
  Folder root_;
  bool is_empty_ = true;
};

}  // namespace unravel
