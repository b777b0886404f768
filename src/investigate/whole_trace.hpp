/// The whole trace of a run in memory.
#pragma once

#include <span>
#include <vector>

#include "data/trace_decoder.hpp"

namespace unravel {

/// Collects one trace.
class WholeTrace final : public TraceSink {
 public:
  WholeTrace()
      : decoder_(
            [this](std::span<const TraceEvent> events) {
              events_.insert(events_.end(), events.begin(), events.end());
            },
            kMostEvents) {}

  void begin() override {
    events_.clear();
    decoder_.begin();
  }
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override {
    return decoder_.take(words, modules);
  }

  [[nodiscard]] bool damaged() const override { return decoder_.damaged(); }

  bool is_whole() const { return !decoder_.damaged() && decoder_.events() < kMostEvents; }
  Trace trace() const { return {.sites = decoder_.sites(), .events = events_}; }

 private:
  // All events are in memory: about 100 MB at most. Chosen by hand.
  static constexpr std::uint64_t kMostEvents = 1'000'000;

  TraceDecoder decoder_;
  std::vector<TraceEvent> events_;
};

}  // namespace unravel
