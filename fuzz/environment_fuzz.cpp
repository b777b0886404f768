// The reader of stored environments never crashes on any bytes, and reads what it has written.
#include <cstdlib>

#include "data/environment.hpp"
#include "sealed.hpp"

namespace {

void check(std::span<const std::byte> bytes) {
  const auto read = unravel::decode_environment(bytes);
  if (read && unravel::decode_environment(unravel::encode(*read)) != read) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  check(bytes);
  check(sealed(bytes));
  return 0;
}
