// The readers of traces never crash: not on words that a program may have overwritten, not on bytes
// of a file. What the writer wrote is read back equal.
#include <cstdlib>
#include <cstring>

#include "data/bytes.hpp"
#include "data/trace_decoder.hpp"
#include "data/trace_file.hpp"
#include "wire/version.hpp"

using namespace unravel;

namespace {

void decode_words(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(words[0]));
  std::vector<TraceEvent> events;
  TraceWriter writer;
  TraceDecoder decoder([&](std::span<const TraceEvent> some) {
    events.insert(events.end(), some.begin(), some.end());
    writer.take(some);
  });
  decoder.take(words, {});
  const std::vector<std::byte> file = writer.finish(decoder.sites(), {});
  Result<TraceReader> reader = TraceReader::open(file);
  if (!reader) std::abort();
  std::vector<TraceEvent> read;
  for (;;) {
    const auto block = reader->next();
    if (!block) std::abort();
    if (block->empty()) break;
    read.insert(read.end(), block->begin(), block->end());
  }
  if (read != events) std::abort();
}

/// A whole file around a block of any bytes: the checksum would keep all others out.
void read_block(std::span<const std::byte> content) {
  FieldWriter out({.magic = "UNRAVTRC",
                   .noun = "trace",
                   .version = 1,
                   .operation_table = wire::kOperationTableVersion});
  out.number(0);  // modules
  out.number(1);  // sites
  out.difference(0, 0);
  out.number(4);  // shapes: none, a load, a lock, a store of any size with its value
  for (const std::uint64_t operation :
       {std::uint64_t{0}, std::uint64_t{static_cast<std::uint8_t>(wire::Operation::kLoad)},
        std::uint64_t{static_cast<std::uint8_t>(wire::Operation::kLock)},
        std::uint64_t{static_cast<std::uint8_t>(wire::Operation::kStore)}}) {
    out.number(operation);
    out.number(0);
    out.number(0);
    out.flag(operation == static_cast<std::uint8_t>(wire::Operation::kStore));
    out.number(operation == static_cast<std::uint8_t>(wire::Operation::kStore) ? 255 : 4);
    out.number(0);
  }
  out.number(0);
  const std::vector<std::byte> block = compress_fast(content);
  out.number(2);
  for (int i = 0; i < 2; ++i) {
    out.text({reinterpret_cast<const char*>(block.data()), block.size()});
  }
  const std::vector<std::byte> file = out.seal();
  Result<TraceReader> reader = TraceReader::open(file);
  if (!reader) std::abort();
  for (auto events = reader->next(); events && !events->empty(); events = reader->next()) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  (void)TraceReader::open(bytes);
  decode_words(bytes);
  read_block(bytes);
  return 0;
}
