/// The functions of a program that are to be atomic, from entry to exit: those that the user names.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "symbolize/symbolizer.hpp"

namespace unravel {

class AtomicFunctions {
 public:
  /// `globs` are names as in the source, without parameters, or symbols; `*` stands for anything.
  explicit AtomicFunctions(const std::vector<std::string>& globs);

  [[nodiscard]] bool empty() const { return globs_.empty(); }

  /// Whether code that called a hook is part of such a function. `offset` is a return address.
  bool contain(const std::string& module, std::uint64_t offset);

  /// Says of each glob that no function was found for, why not. `program` is a file.
  std::vector<std::string> warnings(const std::string& program);

 private:
  struct Glob {
    std::string text;
    bool is_name = false;     // of some function of the program
    bool was_called = false;  // a hook of such a function was called
  };
  struct Range {
    std::uint64_t end = 0;
    std::vector<std::size_t> globs;  // those that match it
  };
  using Ranges = std::map<std::uint64_t, Range>;  // by their first byte

  const Ranges& ranges_of(const std::string& module);

  std::vector<Glob> globs_;
  std::map<std::string, Ranges> modules_;
  Symbolizer symbolizer_;
};

}  // namespace unravel
