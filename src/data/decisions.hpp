/// The decisions of runs: at which steps more than one thread could go on, and what each was about
/// to do.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "data/trace_decoder.hpp"
#include "wire/decision.hpp"
#include "wire/ids.hpp"

namespace unravel {

/// What a thread could do at a decision, or was about to do when the run ended.
struct Alternative {
  std::uint32_t thread = 0;  // ordinal
  wire::Ability ability = wire::Ability::kGoOn;
  wire::Operation operation = wire::Operation::kNone;  // pending; kNone: it has just begun or woken
  std::uint64_t object = 0;
  std::uint64_t also = 0;  // what else it acts on: see wire::PendingOperation
  wire::Site site;

  friend bool operator==(const Alternative&, const Alternative&) = default;
};

/// Whether two threads at one decision may go on in either order: see wire/independence.hpp.
bool independent(const Alternative& one, const Alternative& other);

struct RecordedDecision {
  wire::DecisionKind kind = wire::DecisionKind::kThread;  // kThread or kWaiter
  std::uint64_t step = 0;
  std::uint32_t chosen = 0;    // ordinal
  bool fires_timeout = false;  // the chosen thread's wait timed out
  std::vector<Alternative> alternatives;

  friend bool operator==(const RecordedDecision&, const RecordedDecision&) = default;
};

struct RunDecisions {
  std::uint64_t ordinal = 0;  // of the run, in its batch or hunt
  std::vector<RecordedDecision> decisions;
  bool has_ended = false;           // otherwise it was killed
  std::uint32_t last = 0;           // the thread that had the turn at the end
  std::vector<Alternative> at_end;  // every live thread, also those that were blocked

  friend bool operator==(const RunDecisions&, const RunDecisions&) = default;
};

/// Makes decisions of the words that a batch streamed, run by run.
class DecisionDecoder final : public TraceSink {
 public:
  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;
  [[nodiscard]] bool damaged() const override { return damaged_; }

  /// In the order in which they were made.
  [[nodiscard]] const std::vector<RunDecisions>& runs() const { return runs_; }

 private:
  /// Reads one record; returns its length, or 0 if it is invalid.
  std::size_t decode(std::span<const std::uint64_t> words, std::span<const wire::Module> modules);

  std::vector<RunDecisions> runs_;
  bool damaged_ = false;
};

}  // namespace unravel
