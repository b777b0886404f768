/// What children of the program do not inherit: the runtime, and its channel.
#pragma once

#include <cstddef>

namespace unravel {

/// An environment without what was put there for us. While it lives, programs that are started do
/// not get the channel.
class ChildEnvironment {
 public:
  explicit ChildEnvironment(char* const entries[]);
  ~ChildEnvironment();
  ChildEnvironment(const ChildEnvironment&) = delete;
  ChildEnvironment& operator=(const ChildEnvironment&) = delete;

  [[nodiscard]] char* const* entries() const { return entries_; }

 private:
  char* const* entries_;
  void* memory_ = nullptr;  // of its own, for as long as it lives
  std::size_t size_ = 0;
};

/// How much memory such an environment takes, and the environment in so much memory.
std::size_t stripped_size(char* const entries[]);
char* const* strip_into(char* const entries[], void* memory);

/// In a child that goes its own way: the same for the environment that it has, and nothing that it
/// does is written to the channel any more. `keeps_descriptor`: it shares them with its parent.
void leave_channel(bool keeps_descriptor);

}  // namespace unravel
