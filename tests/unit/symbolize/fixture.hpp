/// Small programs that tests compile and run, to look at them from outside.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace unravel {

/// A folder of its own, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "unravel-XXXXXX").string();
    // Through symbolic links, if any, because /proc/PID/maps names files so.
    path_ = std::filesystem::canonical(::mkdtemp(name.data()));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void shell(const std::string& command) {
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

/// What `command` prints.
inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = 0; pipe && (c = std::fgetc(pipe)) != EOF;) text.push_back(static_cast<char>(c));
  EXPECT_TRUE(pipe && ::pclose(pipe) == 0) << command;
  return text;
}

/// The number of the line of `source` that holds `mark`.
inline int line_of(std::string_view source, std::string_view mark) {
  const std::size_t at = source.find(mark);
  EXPECT_NE(at, std::string_view::npos) << mark;
  int line = 1;
  for (const char c : source.substr(0, at)) line += c == '\n';
  return line;
}

/// Functions without their parameters, which not every compiler records for every function.
inline std::string short_name(const std::string& function) {
  return function.substr(0, function.find('('));
}

}  // namespace unravel
