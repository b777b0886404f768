/// Temporary changes of this process's environment.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "investigate/each_test.hpp"

namespace unravel {

/// Programs inherit our environment. This object changes it for one test; its destructor restores
/// it.
class ChangedEnvironment {
 public:
  explicit ChangedEnvironment(const EnvironmentChanges& changes) {
    for (const auto& [name, value] : changes) {
      const char* before = ::getenv(name.c_str());
      before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
      set(name, value);
    }
  }
  ~ChangedEnvironment() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  ChangedEnvironment(const ChangedEnvironment&) = delete;
  ChangedEnvironment& operator=(const ChangedEnvironment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }

  EnvironmentChanges before_;
};

}  // namespace unravel
