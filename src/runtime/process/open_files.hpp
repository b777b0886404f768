/// Files that the program opens before its first thread. Every run gets them as if it were the only
/// one.
#pragma once

#include <cstdint>

namespace unravel {

class OpenFiles {
 public:
  /// Looks at every descriptor. Returns why children would share something, or nullptr.
  /// `sandboxed`: the same name is another file in each run.
  const char* look(bool sandboxed);

  /// In a child: makes its own descriptors with the same numbers, content and positions. Returns
  /// false if the system has no more files.
  [[nodiscard]] bool make_own() const;

 private:
  /// How a child gets its own descriptor.
  enum class Way : std::uint8_t {
    kRewind,  // shared with processes that do not use it at the same time
    kReopen,  // opened again by its name
    kCopy,    // it has no name, and is written to
    kShare,   // another descriptor of the file `of`
  };
  struct OpenFile {
    int descriptor;
    Way way;
    std::int16_t of;
    int flags;
    long offset;
    std::uint64_t device, inode;
  };
  static constexpr int kMostFiles = 256;

  const char* add(int descriptor, bool sandboxed);
  bool shares_position(const OpenFile& a, const OpenFile& b) const;
  bool make_own(const OpenFile& file) const;

  OpenFile files_[kMostFiles];
  int count_ = 0;
};

}  // namespace unravel
