/// Standard output and standard error, with or without colours.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.hpp"
#include "report/text.hpp"

namespace unravel {

enum class Color { kAuto, kAlways, kNever };

class Terminal {
 public:
  explicit Terminal(Color color);

  /// Writes a result to standard output. error() returns the first error.
  void out(std::string_view text);
  [[nodiscard]] Paint out_paint() const { return out_paint_; }

  /// Writes a message to standard error.
  void note(std::string_view text) const;
  [[nodiscard]] Paint note_paint() const { return note_paint_; }
  /// Whether standard error is a terminal, where a line can be overwritten.
  [[nodiscard]] bool is_interactive() const { return is_interactive_; }

  /// The width of a line: COLUMNS, or that of the terminal; without a terminal 100.
  [[nodiscard]] std::size_t columns() const;

  /// errno of the first failed write to standard output; 0: no write failed.
  [[nodiscard]] int error() const { return error_; }

 private:
  int error_ = 0;
  bool is_interactive_;
  Paint out_paint_;
  Paint note_paint_;
};

}  // namespace unravel
