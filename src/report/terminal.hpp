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

  /// Writes to standard output: what was asked for. The first error is kept for error().
  void out(std::string_view text);
  [[nodiscard]] Paint out_paint() const { return out_paint_; }

  /// Writes to standard error: what is said about it.
  void note(std::string_view text) const;
  [[nodiscard]] Paint note_paint() const { return note_paint_; }
  /// Whether standard error is a terminal, on which a line can be written over.
  [[nodiscard]] bool is_interactive() const { return is_interactive_; }

  /// How wide a line may be: COLUMNS, or the terminal, or 100 where there is none.
  [[nodiscard]] std::size_t columns() const;

  /// errno of the first write to standard output that failed; 0: none did.
  [[nodiscard]] int error() const { return error_; }

 private:
  int error_ = 0;
  bool is_interactive_;
  Paint out_paint_;
  Paint note_paint_;
};

}  // namespace unravel
