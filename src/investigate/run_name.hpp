/// How the user names a stored run, and where its program is.
#pragma once

#include <string>
#include <utility>

namespace unravel {

struct RunName {
  RunName() = default;
  RunName(std::string name) : text(std::move(name)) {}  // NOLINT(google-explicit-constructor)
  RunName(const char* name) : text(name) {}             // NOLINT(google-explicit-constructor)

  std::string text;             // an id, its first characters, or a packed run's file; empty: the
                                // latest failure
  std::string program;          // a file to use as its program; empty: the one at the recorded path
  bool trusts_program = false;  // start the program and the commands that a packed run contains

  [[nodiscard]] bool empty() const { return text.empty(); }
};

}  // namespace unravel
