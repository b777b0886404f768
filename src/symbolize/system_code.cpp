#include "symbolize/system_code.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "symbolize/symbolizer.hpp"

namespace unravel {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// libm.so.6 and libm-2.31.so, not libmine.so
bool is_library(std::string_view file, std::string_view library) {
  return file.starts_with(library) && (file.substr(library.size()).starts_with(".so") ||
                                       file.substr(library.size()).starts_with("-2."));
}

// The C library's own files carry the relative paths of its build. Only folders that a program is
// unlikely to have at its top are named: what is in libc.so is told by its module anyway.
bool is_libc_source(const std::filesystem::path& file) {
  static constexpr std::array kFolders = {"sysdeps", "nptl",  "csu",    "elf",  "stdlib",
                                          "malloc",  "libio", "setjmp", "dlfcn"};
  if (file.is_absolute()) return false;
  for (const std::filesystem::path& part : file) {
    if (part == "..") continue;
    return std::find(kFolders.begin(), kFolders.end(), part.string()) != kFolders.end();
  }
  return false;
}

}  // namespace

// libtsan is on the list because our runtime replaces it under that name.
SystemModule system_module(std::string_view path) {
  static constexpr std::array kOfC = {"libc",  "libpthread", "libm",         "libdl",
                                      "librt", "libtsan",    "libunravel-rt"};
  static constexpr std::array kOfLanguage = {"libstdc++", "libgcc_s", "libc++", "libc++abi",
                                             "libatomic"};
  static constexpr std::array kLoaders = {"ld-linux", "ld-musl", "ld.so", "ld-2."};
  if (path == "[vdso]" || path == "[vsyscall]") return SystemModule::kC;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const std::string_view loader : kLoaders) {
    if (file.starts_with(loader)) return SystemModule::kC;
  }
  for (const std::string_view library : kOfC) {
    if (is_library(file, library)) return SystemModule::kC;
  }
  for (const std::string_view library : kOfLanguage) {
    if (is_library(file, library)) return SystemModule::kLanguage;
  }
  return SystemModule::kNone;
}

bool is_system_file(const std::string& file) {
  // Clang names libstdc++'s headers /usr/bin/../lib/gcc/…/../../../../include/c++/12/mutex.
  const std::filesystem::path normal = std::filesystem::path(file).lexically_normal();
  const std::string& path = normal.native();
  return path.starts_with("/usr/include/") || contains(path, "/lib/gcc/") ||
         contains(path, "/lib/clang/") || contains(path, "/include/c++/") ||
         (contains(path, "/include/") && contains(path, "/bits/")) ||
         contains(path, "libstdc++-v3/") || contains(path, "/glibc-2.") ||
         path.ends_with("/unravel/atomic.h") || is_libc_source(normal);
}

namespace {

/// "std::thread::join" of "void std::thread::join<int>(int)": no return type, no parameters.
std::string_view qualified_name(std::string_view function) {
  static constexpr std::string_view kAnonymous = "(anonymous namespace)";
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (function.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (function[i] == '<') {
      ++depth;
    } else if (function[i] == '>') {
      --depth;
    } else if (depth == 0 && function[i] == ' ') {
      start = i + 1;
    } else if (depth == 0 && function[i] == '(') {
      return function.substr(start, i - start);
    }
  }
  return function.substr(start);
}

bool is_identifier_part(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

/// Whether a word of a type's name is one of the language: a keyword, a number, or in namespace
/// std.
bool is_word_of_language(std::string_view word) {
  static constexpr std::array kKeywords = {"unsigned", "signed", "char",   "short", "int",
                                           "long",     "float",  "double", "bool",  "void",
                                           "const",    "true",   "false"};
  if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) return true;
  if (word.starts_with("std::") || word.starts_with("__gnu_cxx::")) return true;
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

}  // namespace

// Without debug information, only the name shows that code comes from a library header.
bool is_system_function(std::string_view function) {
  const std::string_view name = qualified_name(function);
  return name == "_start" || name.starts_with("std::") || name.starts_with("__gnu_cxx::") ||
         name.starts_with("__gthread_") || name.starts_with("__cxxabiv1::");
}

bool is_system_throughout(std::string_view function) {
  if (!is_system_function(function)) return false;
  const std::string_view name = qualified_name(function);
  int depth = 0;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && is_identifier_part(name[end])) ++end;
    const std::string_view word = name.substr(i, end - i);
    // A word that begins with `::` is the rest of a qualified name, after a template.
    const bool is_whole = !word.empty() && !word.starts_with("::");
    if (depth > 0 && is_whole && !is_word_of_language(word)) return false;
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    i = std::max(end, i + 1);
  }
  return true;
}

bool is_system(const Frame& frame) {
  if (system_module(frame.module) != SystemModule::kNone) return true;
  return frame.file.empty() ? is_system_function(frame.function) : is_system_file(frame.file);
}

const Frame* own_frame(const std::vector<Frame>& frames) {
  const auto own = std::find_if(frames.begin(), frames.end(), [](const Frame& frame) {
    return !frame.module.empty() && !is_system(frame);
  });
  return own != frames.end() ? &*own : nullptr;
}

}  // namespace unravel
