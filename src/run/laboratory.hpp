/// Experiments with one failure: schedules are tried, and what each shows is compared with it.
///
/// The seam between what changes schedules (simplify, isolate) and what runs them: a pool of
/// workers, or a simulated program in the tests.
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
  kFails,  // in the way that is looked into
  kPasses,
  kOther,  // another failure, or nothing that can be told
};

struct Attempt {
  Shown shown = Shown::kOther;
  Run run;
};

/// Something that a thread did in a run: where it stood before it and, of operations, after it.
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

  /// Tries them, several at a time where there are workers, and gives the attempts in their order.
  virtual Result<std::vector<Attempt>> perform(const std::vector<Proposal>& proposals) = 0;

  /// Tries one and looks at everything that its threads do.
  virtual Result<Observed> observe(const Proposal& proposal) = 0;

  /// How many are tried at the same time.
  [[nodiscard]] virtual std::size_t workers() const = 0;
};

/// What `run` shows of the failure of this key.
Shown shown_by(const Run& run, const std::string& key);

}  // namespace unravel
