#include "common/subjects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace fs = std::filesystem;

namespace unravel::bench {
namespace {

/// What the head of a program says under this key.
std::vector<std::string> head_of(const fs::path& source, std::string_view key) {
  const std::string begin = fmt::format("// {}: ", key);
  std::vector<std::string> values;
  std::ifstream file(source);
  for (std::string line; std::getline(file, line) && line.starts_with("//");) {
    if (line.starts_with(begin)) values.push_back(line.substr(begin.size()));
  }
  return values;
}

void erase_word(std::string& text, std::string_view word) {
  if (const auto at = text.find(word); at != text.npos) text.erase(at, word.size());
}

bool is_c(const fs::path& source) { return source.extension() == ".c"; }

/// What a variant is expected to do, if that is not what the others do: `clang -O1: passed, …`.
std::string expectation_of(const fs::path& source, const std::string& compiler,
                           const std::string& level) {
  for (const std::string& line : head_of(source, "variant")) {
    const std::size_t colon = line.find(':');
    const std::string who = line.substr(0, colon);
    const bool names_compiler = who.starts_with("gcc") || who.starts_with("clang");
    const bool names_level = who.find("-O") != who.npos;
    if (names_compiler && !who.starts_with(compiler)) continue;
    if (names_level && !who.ends_with(level)) continue;
    return line.substr(colon + 2, line.find_first_of(",;", colon) - colon - 2);
  }
  return {};
}

/// Our compiler drivers are where the library is that they link.
fs::path drivers() { return fs::canonical("/proc/self/exe").parent_path().parent_path() / "bin"; }

void add_variants(const Subject& subject, std::string flags, std::vector<Subject>& subjects) {
  for (const char* word : {"-fsanitize=thread", "-O1"}) erase_word(flags, word);
  const bool c = is_c(subject.source);
  for (const std::string compiler : {"gcc", "clang"}) {
    for (const std::string level : {"-O0", "-O1"}) {
      const std::string expected = expectation_of(subject.source, compiler, level);
      if (expected == "unresolved") continue;
      const std::string command = c ? compiler : compiler == "gcc" ? "g++" : "clang++";
      Subject variant = subject;
      variant.name += "/" + compiler + level;
      variant.expected_to_fail = expected.empty() ? subject.expected_to_fail : expected != "passed";
      variant.compiler = fmt::format("UNRAVEL_{}={} '{}/{}' {} {} {}", c ? "CC" : "CXX", command,
                                     drivers().string(), c ? "unravel-cc" : "unravel-c++",
                                     c ? "-std=gnu11" : "-std=c++20", level, flags);
      subjects.push_back(std::move(variant));
    }
  }
}

}  // namespace

std::vector<Subject> find_subjects(const fs::path& programs, const std::string& only) {
  std::vector<Subject> subjects;
  for (const auto& entry : fs::recursive_directory_iterator(programs)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".c" && path.extension() != ".cpp") continue;
    const std::string folder = path.parent_path().filename().string();
    const std::vector<std::string> heads = head_of(path, "flags");
    const std::string flags = heads.empty() ? std::string() : heads.front();
    Subject subject{.name = folder + "/" + path.stem().string(),
                    .source = path,
                    .compiler = fmt::format("{} -O0 {}",
                                            is_c(path) ? "cc -std=gnu11" : "c++ -std=c++20", flags),
                    .expected_to_fail = folder != "passed"};
    if (flags.find("-fsanitize=thread") != flags.npos) add_variants(subject, flags, subjects);
    subjects.push_back(std::move(subject));
  }
  std::erase_if(subjects, [&](const Subject& subject) {
    return subject.name.find(only) == std::string::npos;
  });
  std::sort(subjects.begin(), subjects.end(),
            [](const Subject& a, const Subject& b) { return a.name < b.name; });
  return subjects;
}

bool compile(Subject& subject, const fs::path& directory) {
  std::string file = subject.name;
  std::replace(file.begin(), file.end(), '/', '-');
  subject.binary = directory / file;
  const std::string command = fmt::format("{} -g -pthread '{}' -o '{}'", subject.compiler,
                                          subject.source.string(), subject.binary.string());
  return std::system(command.c_str()) == 0;
}

}  // namespace unravel::bench
