/// Where a command's words go: standard output, standard error, with or without colours.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "cli/exit_status.hpp"
#include "cli/options.hpp"
#include "report/text.hpp"

namespace unravel {

class Console {
 public:
  explicit Console(const CommonOptions& options);

  const CommonOptions& options() const { return options_; }

  /// Standard output: what was asked for, and the program's own output. An error shows in finish().
  void out(std::string_view text) const;
  Paint out_paint() const { return out_paint_; }

  /// Standard error: what is said about it.
  void note(std::string_view text) const;
  Paint note_paint() const { return note_paint_; }
  bool note_is_terminal() const { return note_is_terminal_; }

  /// Something the user should know; left out with --quiet, and said once: many runs, and many
  /// tests, would say the same.
  void warn(std::string_view text) const;

  /// Tells an error and returns the exit status for it.
  int complain(const Error& error) const;
  /// Likewise, where standard output is taken by something else.
  int complain_in_words(const Error& error) const;

  /// The exit status of a command that would return `status`: what could not be written counts.
  /// Nobody is told if the reader has gone, as in `unravel list | head -1`.
  int finish(int status) const;

  /// How wide a line may be: COLUMNS, or the terminal, or 100 where there is none.
  std::size_t columns() const;

 private:
  CommonOptions options_;
  mutable int out_error_ = 0;  // errno of the first write that failed
  bool note_is_terminal_;
  Paint out_paint_;
  Paint note_paint_;
  mutable std::set<std::string, std::less<>> warnings_;  // that were said
};

}  // namespace unravel
