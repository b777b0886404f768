/// Makes a History of a run's trace.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/trace_decoder.hpp"
#include "investigate/atomic_functions.hpp"
#include "predict/event_watch.hpp"
#include "predict/history_builder.hpp"

namespace unravel {

/// Keeps the words of a trace for the second pass, and makes the first one while the program runs.
class HistorySink final : public TraceSink {
 public:
  // Words that are kept: a gigabyte. The rest of a longer run is left out, and the history says so.
  // Chosen by hand.
  static constexpr std::size_t kMostWords = std::size_t{1} << 27;

  /// `expected` are events to look for, `most` limits the kept words.
  explicit HistorySink(std::vector<ExpectedEvent> expected = {}, std::size_t most = kMostWords);

  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;
  [[nodiscard]] bool damaged() const override { return first_.damaged(); }

  [[nodiscard]] const EventWatch& watch() const { return watch_; }

  /// Call after the run, once. Calls of `functions` are regions.
  History history(AtomicFunctions& functions);

  /// How often the thread of each event had made its operation at its site by then, from 1.
  std::vector<std::uint64_t> occurrences_of(std::span<const ExpectedEvent> events) const;

 private:
  struct Portion {
    std::size_t words;    // its length
    std::size_t modules;  // index into `modules_`
  };

  void decode(TraceDecoder& decoder) const;
  bool contains(AtomicFunctions& functions, wire::Site site) const;

  const std::size_t most_;
  EventWatch watch_;
  std::unique_ptr<SharedMemory> shared_;
  TraceDecoder first_;
  std::vector<std::uint64_t> words_;
  std::vector<Portion> portions_;
  std::vector<std::vector<wire::Module>> modules_;  // whenever they changed
  bool is_cut_ = false;
};

}  // namespace unravel
