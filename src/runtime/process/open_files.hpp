/// What the program has open before its first thread: every run gets it as if it were alone.
#pragma once

#include <cstdint>

namespace unravel {

class OpenFiles {
 public:
  /// Looks at every descriptor. Why children would share something, or nullptr. `sandboxed`: files
  /// have names that mean another file in each run.
  const char* look(bool sandboxed);

  /// In a child: descriptors of its own at the same places, with the content and the position that
  /// they had. False if the system has no more files.
  [[nodiscard]] bool make_own() const;

 private:
  /// How a child gets its own.
  enum class Way : std::uint8_t {
    kRewind,  // shared with others who do not use it at the same time
    kReopen,  // by its name
    kCopy,    // it has no name, and is written to
    kShare,   // it is another descriptor of the file `of`
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
