/// From the words that the runtime appended to the events that analyses read.
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

/// Takes a trace's words as they come, in portions that end where a record ends.
class TraceSink {
 public:
  /// Forget what came so far: the run begins anew.
  virtual void begin() = 0;
  /// `modules` is what is loaded now; [0] stands for code outside of all. False: that is enough.
  virtual bool take(std::span<const std::uint64_t> words,
                    std::span<const wire::Module> modules) = 0;
  /// Whether words came that are no trace: the program wrote into what is ours.
  [[nodiscard]] virtual bool damaged() const { return false; }

 protected:
  ~TraceSink() = default;
};

class TraceDecoder final : public TraceSink {
 public:
  /// `consume` gets the events in order, a few thousand at a time; they are gone when it returns.
  using Consumer = std::function<void(std::span<const TraceEvent>)>;
  /// After `most` events it wants no more.
  explicit TraceDecoder(Consumer consume, std::uint64_t most = ~std::uint64_t{0})
      : consume_(std::move(consume)), most_(most) {
    begin();
  }

  void begin() override;
  bool take(std::span<const std::uint64_t> words, std::span<const wire::Module> modules) override;

  /// It wants no more: whoever consumes has seen enough.
  void stop() { most_ = 0; }

  /// What TraceEvent::site is an index of.
  const std::vector<wire::Site>& sites() const { return sites_; }
  std::uint64_t events() const { return events_; }
  /// The program wrote into what is ours: what comes behind that is not read.
  [[nodiscard]] bool damaged() const override { return damaged_; }

 private:
  /// A record at `at`; how many words it has, 0 if it is none.
  std::size_t decode(std::span<const std::uint64_t> words, TraceEvent& event);
  std::uint32_t site_of(std::uint64_t address);

  Consumer consume_;
  std::span<const wire::Module> modules_;
  std::vector<TraceEvent> block_;
  std::vector<wire::Site> sites_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_of_;
  // The addresses looked up last, by their lower bits: a loop has few.
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
