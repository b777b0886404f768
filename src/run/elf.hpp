/// What must be known of a program file before it is started.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace unravel {

/// What the first bytes of a program file say about it.
struct FileKind {
  enum class Is {
    kDynamic,       // an ELF program that a loader starts: what can be controlled
    kStatic,        // no loader, so nothing can be injected
    kLibrary,       // an ELF file that is no program
    kOtherMachine,  // another processor, or 32 bits
    kScript,        // names its interpreter
    kUnknown,
  };

  Is is = Is::kUnknown;
  std::string interpreter;  // of a script
};

/// Reads bytes that nobody vouches for: `bytes` is the whole file, or its beginning.
FileKind file_kind(std::span<const std::byte> bytes);

}  // namespace unravel
