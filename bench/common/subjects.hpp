/// The programs of tests/programs as they are soaked: compiled anew, those with hooks by every
/// compiler and level.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace unravel::bench {

struct Subject {
  std::string name;  // folder/stem, or folder/stem/variant
  std::filesystem::path source;
  std::string compiler;  // and what it needs to know
  std::filesystem::path binary = {};
  bool expected_to_fail = false;
};

/// Those whose names contain `only`, in order. Left out are variants of which a program's head says
/// that they have no outcome.
std::vector<Subject> find_subjects(const std::filesystem::path& programs, const std::string& only);

/// Into that directory. False: it does not compile, which the compiler has said.
bool compile(Subject& subject, const std::filesystem::path& directory);

}  // namespace unravel::bench
