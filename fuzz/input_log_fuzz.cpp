// The reader of recorded inputs never crashes on any bytes, and reads what it has written.
#include <cstdlib>

#include "data/input_log.hpp"
#include "sealed.hpp"

namespace {

void check(std::span<const std::byte> bytes) {
  const auto read = unravel::decode_input_log(bytes);
  if (read && unravel::decode_input_log(unravel::encode(*read)) != read) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  check(sealed(bytes));
  return 0;
}
