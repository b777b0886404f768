// The reader of stored tables never crashes on any bytes, compressed or not.
#include <cstdlib>

#include "data/bytes.hpp"
#include "data/details.hpp"
#include "data/steps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  (void)unravel::decode_steps(bytes);
  (void)unravel::decode_details(bytes);
  const auto steps = unravel::decode_steps(unravel::compress(bytes));
  if (steps && unravel::decode_steps(unravel::encode(*steps)) != steps) std::abort();
  return 0;
}
