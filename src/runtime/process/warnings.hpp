/// What the program does that is not controlled, or that other runs can see: lines in the channel,
/// which the driver shows.
#pragma once

#include "wire/control.hpp"

namespace unravel {

/// The text is Control::uncontrolled: one line each, none twice. A line that begins with '/' or '.'
/// names a file that the program changed; every other line names something that is not controlled.
/// A last line "+" says that there was no room for more.
class Warnings {
 public:
  Warnings(wire::Control& control, const wire::Settings& settings)
      : control_(control), settings_(settings) {}

  /// Lines of files are dropped if there is no room for this one.
  void add_uncontrolled(const char* what);

  /// `path` is as the program gave it, relative to `directory`. In a sandbox no other program will
  /// see the file, so nothing is recorded.
  void add_file(int directory, const char* path);

 private:
  [[nodiscard]] bool has(const char* line) const;
  bool add(const char* line);
  void append(const char* line);

  wire::Control& control_;
  const wire::Settings& settings_;
};

}  // namespace unravel
