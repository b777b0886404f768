// Readers of schedules never crash on any bytes, and what they accept can be written again.
#include <cstdlib>
#include <string_view>

#include "data/schedule.hpp"
#include "sealed.hpp"

namespace {

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
