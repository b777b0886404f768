/// What is stored of a run besides its numbers, schedule, table and output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "data/outcome.hpp"
#include "data/program.hpp"
#include "data/settings.hpp"

namespace unravel {

/// The longest timeout: a day. Adding it to a clock cannot overflow.
inline constexpr std::uint64_t kMostTimeoutMilliseconds = 24 * 60 * 60 * 1000;

struct RunDetails {
  Program program;
  RunSettings settings;
  std::optional<Failure> failure;
  std::string explanation;
  std::vector<std::string> warnings;
  std::uint64_t output_left_out = 0;  // bytes that were not stored
  std::uint64_t error_output_left_out = 0;
  std::optional<ClientEnd> client;

  friend bool operator==(const RunDetails&, const RunDetails&) = default;
};

std::vector<std::byte> encode(const RunDetails& details);
Result<RunDetails> decode_details(std::span<const std::byte> bytes);

}  // namespace unravel
