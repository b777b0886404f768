// The reader of stored constraints never crashes on any bytes, and reads what it has written.
#include <cstdlib>

#include "data/portable_constraint.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto read = unravel::decode_portable_constraints(bytes);
  if (read && unravel::decode_portable_constraints(unravel::encode(*read)) != read) std::abort();
  return 0;
}
