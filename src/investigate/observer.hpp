/// Investigate: what the product does, as functions that take values and return values.
///
/// Hunting, verifying, explaining, checking, finding races, repeating kept runs. Knows every room
/// of the driver but the command line and the reports: no option parser, no terminal, no format.
///
/// This header: who watches an investigation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "data/explored.hpp"
#include "data/finding.hpp"

namespace unravel {

/// Hears what an investigation has to say while it goes on, and may interrupt it. Commands have one
/// that reports to the user; tests have one that remembers.
class Observer {
 public:
  virtual ~Observer() = default;

  /// Something that the user should know. A text that was said before is not said again.
  virtual void warn(const std::string& text) = 0;

  /// `done` of `total` runs are made.
  virtual void progress(std::uint64_t done, std::uint64_t total) = 0;
  /// How a hunt goes.
  virtual void progress(const Explored& explored) = 0;
  /// What is done next takes `seconds` during which nothing else shows.
  virtual void waits(double seconds) = 0;

  /// A finding is complete: verified, kept and explained as far as that was asked for.
  virtual void found(const Finding& finding) = 0;

  /// Whether the user asked to end it.
  [[nodiscard]] virtual bool interrupted() const = 0;
  /// Waits for at most `milliseconds`; returns early if it is interrupted.
  virtual void wait(int milliseconds) = 0;
  /// An interruption calls `end`, perhaps several times and from another thread. An empty function:
  /// there is nothing to end.
  virtual void on_interruption(std::function<void()> end) = 0;
};

/// What an investigation returns that was interrupted.
Error interrupted_error();

}  // namespace unravel
