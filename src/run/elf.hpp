/// What must be known of a program file before it is started.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

  bool is_elf() const { return is == Is::kDynamic || is == Is::kStatic || is == Is::kLibrary; }
};

/// Reads bytes that nobody vouches for: `bytes` is the whole file, or its beginning.
FileKind file_kind(std::span<const std::byte> bytes);

/// What an ELF file asks of others.
struct ElfLinks {
  std::vector<std::string> needed;   // names of libraries
  std::vector<std::string> search;   // directories to look for them first, as written
  std::vector<std::string> imports;  // names of functions and variables

  friend bool operator==(const ElfLinks&, const ElfLinks&) = default;
};

/// Goes by section headers; a file without them asks for nothing. `bytes` is the whole file.
ElfLinks links_of(std::span<const std::byte> bytes);

/// Whether Go's own linker, or its compiler with the system's, made it. `bytes` is the whole file.
bool is_go(std::span<const std::byte> bytes);

/// A checker that the compiler built into a program.
struct Sanitizer {
  std::string_view name;
  std::string_view option;  // of the compiler
  bool inside = false;      // its runtime is part of the program, not a library
};
inline constexpr std::string_view kThreadSanitizer = "ThreadSanitizer";
std::optional<Sanitizer> sanitizer_of(std::span<const std::byte> bytes);

}  // namespace unravel
