// Readers of schedules never crash on any bytes, and what they accept can be written again.
#include <xxhash.h>

#include <cstdlib>
#include <string_view>

#include "data/schedule.hpp"

namespace {

/// With a right size and checksum, which no mutation would hit upon.
std::vector<std::byte> sealed(std::span<const std::byte> bytes) {
  std::vector<std::byte> whole(bytes.begin(), bytes.end());
  if (whole.size() < 32) return whole;
  const auto put = [&](std::size_t at, std::uint64_t value) {
    for (std::size_t i = 0; i < 8; ++i) whole[at + i] = static_cast<std::byte>(value >> (8 * i));
  };
  put(16, whole.size());
  put(whole.size() - 8, XXH64(whole.data(), whole.size() - 8, 0));
  return whole;
}

/// What follows a schedule calculates with these.
bool is_in_range(const unravel::Schedule& schedule) {
  namespace wire = unravel::wire;
  const auto fits = [](const wire::Clock& clock) {
    return clock.operations <= wire::kMostCount && clock.hooks <= wire::kMostCount;
  };
  for (const wire::Slice& slice : schedule.slices) {
    if (!fits(slice.until)) return false;
  }
  for (const wire::Choice& choice : schedule.choices) {
    if (!fits(choice.clock)) return false;
  }
  return schedule.start_realtime <= wire::kMostTime &&
         schedule.start_monotonic <= wire::kMostTime && schedule.cpu_count >= 1 &&
         schedule.cpu_count <= wire::kMostCpus &&
         schedule.constraints.size() <= wire::kMostConstraints;
}

void check(std::span<const std::byte> bytes) {
  const unravel::Result<unravel::Schedule> schedule = unravel::decode_schedule(bytes);
  if (!schedule) return;
  if (!is_in_range(*schedule)) std::abort();
  const std::vector<std::byte> again = unravel::encode(*schedule);
  if (unravel::decode_schedule(again) != schedule) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  check(sealed(bytes));
  (void)unravel::schedule_from_string({reinterpret_cast<const char*>(data), size});
  return 0;
}
