/// Report: converts runs and findings to text or JSON.
///
/// This room knows values and their texts. It does not know the store or processes.
///
/// This header: colours.
#pragma once

#include <string>
#include <string_view>

#include "base/text.hpp"

namespace unravel {

/// Adds colours to text, if they are on. Cheap to copy.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string bold(std::string_view text) const { return with("1", text); }
  std::string dim(std::string_view text) const { return with("2", text); }
  std::string red(std::string_view text) const { return with("1;31", text); }
  std::string green(std::string_view text) const { return with("32", text); }
  std::string yellow(std::string_view text) const { return with("33", text); }
  std::string cyan(std::string_view text) const { return with("36", text); }

 private:
  std::string with(std::string_view code, std::string_view text) const;

  bool on_;
};

}  // namespace unravel
