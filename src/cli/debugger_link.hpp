/// The pipes to the debugger's script: requests are lines of words, answers are lines of JSON.
#pragma once

#include <deque>
#include <string>

#include "investigate/debug_session.hpp"

namespace unravel {

class DebuggerPipes final : public DebuggerLink {
 public:
  /// Does not own the descriptors.
  DebuggerPipes(int input, int output) : input_(input), output_(output) {}

  std::optional<DebuggerRequest> next(std::chrono::milliseconds most) override;
  [[nodiscard]] bool is_closed() const override { return is_closed_; }
  void answer(const DebuggerAnswer& answer) override;

 private:
  void read_more(std::chrono::milliseconds most);

  int input_;
  int output_;
  bool is_closed_ = false;
  std::string unfinished_;
  std::deque<std::string> lines_;
};

/// Understands a line such as "goto T1:12+3", "back 2" or "where".
Result<DebuggerRequest> parse_debugger_request(const std::string& line);

}  // namespace unravel
