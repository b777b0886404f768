/// Decodes the words that the runtime wrote into events for analyses.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "data/trace.hpp"
#include "wire/control.hpp"

namespace unravel {

/// Receives a trace's words in portions that end at record boundaries.
class TraceSink {
 public:
  /// Forget everything so far: the run starts again.
  virtual void begin() = 0;
  /// `modules` are the files loaded now; [0] is code outside of all. Returns false to receive no
  /// more.
  virtual bool take(std::span<const std::uint64_t> words,
                    std::span<const wire::Module> modules) = 0;
  /// Whether some words are not a valid trace: the program overwrote our memory.
  [[nodiscard]] virtual bool damaged() const { return false; }

 protected:
  ~TraceSink() = default;
};

/// The site of a code address; no site if it lies in no module.
wire::Site site_of(std::uint64_t address, std::span<const wire::Module> modules);

class TraceDecoder final : public TraceSink {
 public:
  /// `consume` gets the events in order, a few thousand at a time; they are valid until it returns.
  using Consumer = std::function<void(std::span<const TraceEvent>)>;
  /// Stops after `most` events.
  explicit TraceDecoder(Consumer consume, std::uint64_t most = ~std::uint64_t{0})
      : consume_(std::move(consume)), most_(most) {
    begin();
  }

  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;

  /// The consumer has seen enough.
  void stop() { most_ = 0; }

  /// The sites that TraceEvent::site is an index of.
  const std::vector<wire::Site>& sites() const { return sites_; }
  std::uint64_t events() const { return events_; }
  /// The program overwrote our memory; everything after that is ignored.
  [[nodiscard]] bool damaged() const override { return damaged_; }

 private:
  /// Decodes the record at the beginning of `words`; returns its length, 0 if it is invalid.
  std::size_t decode(std::span<const std::uint64_t> words, TraceEvent& event);
  std::uint32_t index_of(std::uint64_t address);

  Consumer consume_;
  std::span<const wire::Module> modules_;
  std::vector<TraceEvent> block_;
  std::vector<wire::Site> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_of_;
  // Recently looked up addresses, by their lower bits: a loop has few.
  struct Known {
    std::uint64_t address = 0;
    std::uint32_t index = 0;
  };
  std::array<Known, 1024> known_;
  std::uint32_t thread_ = 0;
  wire::Clock clock_;
  std::uint64_t events_ = 0;
  std::uint64_t most_;
  bool damaged_ = false;
};

}  // namespace unravel
