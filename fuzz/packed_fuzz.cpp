// The reader of packed runs never crashes on any bytes, and reads what it has written.
#include <cstdlib>

#include "data/packed.hpp"
#include "sealed.hpp"

namespace {

void check(std::span<const std::byte> bytes) {
  const auto read = unravel::decode_packed_run(bytes);
  if (!read) return;
  const auto written = unravel::encode(*read);
  const auto again = unravel::decode_packed_run(written);
  if (!again || unravel::encode(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  check(sealed(bytes));
  return 0;
}
