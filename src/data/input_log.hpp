/// What a run got from outside, as a value and as stored bytes. wire/input.hpp has the form of its
/// entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "wire/input.hpp"

namespace unravel {

struct InputLog {
  std::vector<std::uint64_t> words;  // whole entries
  // Why a replay cannot take its inputs from here; empty: it can.
  std::string incomplete;

  /// Whether system calls of libc and of the program were caught.
  [[nodiscard]] bool has_calls() const;

  friend bool operator==(const InputLog&, const InputLog&) = default;
};

/// What an input log contains.
struct InputTotals {
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // that came from outside
};

/// Nothing if the words are not whole entries of known kinds.
std::optional<InputTotals> totals_of(std::span<const std::uint64_t> words);

/// Takes the words that the runtime wrote, in portions of any size.
class InputCollector {
 public:
  /// Keeps at most `most` bytes. A run that gets more goes on, and its log is incomplete.
  explicit InputCollector(std::uint64_t most) : most_words_(most / sizeof(std::uint64_t)) {}

  void take(std::span<const std::uint64_t> words);
  /// What was taken so far belongs to all runs of the process.
  void end_start() { start_ = log_.words.size(); }
  /// Forgets what was taken since then.
  void begin_run() { log_.words.resize(start_); }
  /// What was collected. Words that are no entries make it incomplete.
  InputLog finish() const;

 private:
  std::uint64_t most_words_;
  bool is_full_ = false;
  std::size_t start_ = 0;
  InputLog log_;
};

std::vector<std::byte> encode(const InputLog& log);
Result<InputLog> decode_input_log(std::span<const std::byte> bytes);

}  // namespace unravel
