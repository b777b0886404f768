/// What must be known about a program file before it starts.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// What the first bytes of a program file say.
struct FileKind {
  enum class Is {
    kDynamic,       // an ELF program with a loader: it can be controlled
    kStatic,        // no loader, so nothing can be injected
    kLibrary,       // an ELF file that is not a program
    kOtherMachine,  // another processor, or 32 bits
    kScript,        // names its interpreter
    kUnknown,
  };

  Is is = Is::kUnknown;
  std::string interpreter;  // of a script

  bool is_elf() const { return is == Is::kDynamic || is == Is::kStatic || is == Is::kLibrary; }
};

/// Reads untrusted bytes: `bytes` is the whole file, or its beginning.
FileKind file_kind(std::span<const std::byte> bytes);

/// What an ELF file needs from others.
struct ElfLinks {
  std::vector<std::string> needed;   // names of libraries
  std::vector<std::string> search;   // directories to search first, as written
  std::vector<std::string> imports;  // names of functions and variables

  friend bool operator==(const ElfLinks&, const ElfLinks&) = default;
};

/// Uses section headers; a file without them has no links. `bytes` is the whole file.
ElfLinks links_of(std::span<const std::byte> bytes);

/// Whether Go built it, with its own linker or the system's. `bytes` is the whole file.
bool is_go(std::span<const std::byte> bytes);

/// A checker that the compiler built into a program.
struct Sanitizer {
  std::string_view name;
  std::string_view option;  // the compiler's option
  bool inside = false;      // its runtime is linked into the program
};
inline constexpr std::string_view kThreadSanitizer = "ThreadSanitizer";
std::optional<Sanitizer> sanitizer_of(std::span<const std::byte> bytes);

}  // namespace unravel
