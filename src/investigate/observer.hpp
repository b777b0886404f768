/// Investigate: what the product does, as functions that take values and return values.
///
/// It hunts, verifies, explains, checks, finds races and repeats stored runs. It knows every room
/// of the driver except the command line and the reports: no options, no terminal, no output
/// format.
///
/// This header: the observer of an investigation.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "data/explored.hpp"
#include "data/finding.hpp"

namespace unravel {

/// Receives the messages of an investigation and can interrupt it. Commands use one that reports to
/// the user; tests use one that records.
class Observer {
 public:
  virtual ~Observer() = default;

  /// A warning for the user. The same text is reported only once.
  virtual void warn(const std::string& text) = 0;

  /// `done` of `total` runs have ended.
  virtual void progress(std::uint64_t done, std::uint64_t total) = 0;
  /// The progress of a hunt.
  virtual void progress(const Explored& explored) = 0;
  /// The run will be repeated after this time; until then the investigation waits.
  virtual void repeats_in(double seconds) = 0;

  /// A finding is complete: verified, stored and, if requested, explained.
  virtual void found(const Finding& finding) = 0;

  /// Whether the user interrupted the command.
  [[nodiscard]] virtual bool interrupted() const = 0;
  /// Waits for at most `milliseconds`; returns early after an interruption.
  virtual void wait(int milliseconds) = 0;
  /// An interruption calls `end`, perhaps several times and from another thread. With an empty
  /// function there is nothing to end.
  virtual void on_interruption(std::function<void()> end) = 0;
};

/// The error of an investigation that was interrupted.
Error interrupted_error();

}  // namespace unravel
