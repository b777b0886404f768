/// Experiments with one failure: runs schedules, and compares each result with the failure.
///
/// The seam between code that changes schedules (simplify, isolate) and what runs them: a pool of
/// workers, or a simulated program in tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/proposal.hpp"
#include "data/run.hpp"

namespace unravel {

enum class Shown : std::uint8_t {
  kFails,  // in the same way
  kPasses,
  kOther,  // another failure, or no clear outcome
};

struct Attempt {
  Shown shown = Shown::kOther;
  Run run;
};

/// One act of a thread in a run: its clock before and, for operations, after it.
struct Act {
  wire::ThreadId thread;
  wire::Clock before;
  std::optional<wire::Clock> after;
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
};

struct Observed {
  Attempt attempt;
  std::vector<Act> acts;  // in the order of the run; empty if there are too many
};

class Laboratory {
 public:
  virtual ~Laboratory() = default;

  /// Tries all proposals, several at a time if there are workers. Returns the attempts in order.
  virtual Result<std::vector<Attempt>> perform(const std::vector<Proposal>& proposals) = 0;

  /// Tries one proposal and records everything that its threads do.
  virtual Result<Observed> observe(const Proposal& proposal) = 0;

  /// How many proposals are tried at the same time.
  [[nodiscard]] virtual std::size_t workers() const = 0;
};

/// How `run` compares with the failure of this key.
Shown shown_by(const Run& run, const std::string& key);

}  // namespace unravel
