/// Keeps the runtime and its channel from children of the program.
#pragma once

#include <cstddef>

namespace unravel {

/// An environment without the variables that were set for us. While it lives, programs that are
/// started do not get the channel.
class ChildEnvironment {
 public:
  explicit ChildEnvironment(char* const entries[]);
  ~ChildEnvironment();
  ChildEnvironment(const ChildEnvironment&) = delete;
  ChildEnvironment& operator=(const ChildEnvironment&) = delete;

  [[nodiscard]] char* const* entries() const { return entries_; }

 private:
  char* const* entries_;
  void* memory_ = nullptr;  // its own memory, for as long as it lives
  std::size_t size_ = 0;
};

/// The memory that such an environment takes, and the environment made in that memory.
std::size_t stripped_size(char* const entries[]);
char* const* strip_into(char* const entries[], void* memory);

/// In a child that is not controlled: strips its own environment, and detaches it from the channel.
/// `keeps_descriptor`: it shares descriptors with its parent.
void leave_channel(bool keeps_descriptor);

}  // namespace unravel
