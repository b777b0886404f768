#include "data/input_log.hpp"

#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "data/bytes.hpp"
#include "wire/control.hpp"

namespace unravel {

namespace {

constexpr std::uint32_t kInputLogVersion = 1;

constexpr Format kFormat = {
    .magic = "UNRAVINP", .noun = "record of inputs", .version = kInputLogVersion};

// Words before compression. Small enough to check a block before much memory is taken. Chosen by
// hand.
constexpr std::size_t kBlockWords = std::size_t{1} << 19;

/// The entry at the beginning of `words`; nothing if it is not whole or not known.
std::optional<wire::InputHead> head_at(std::span<const std::uint64_t> words) {
  if (words.size_bytes() < sizeof(wire::InputHead)) return std::nullopt;
  wire::InputHead head;
  std::memcpy(static_cast<void*>(&head), words.data(), sizeof(head));
  const bool is_known = static_cast<std::uint8_t>(head.kind) < wire::kInputKindCount &&
                        static_cast<std::uint8_t>(head.operation) < wire::kOperationCount;
  if (!is_known || head.size > words.size_bytes()) return std::nullopt;
  if (wire::words_of_input(head.size) > words.size()) return std::nullopt;
  return head;
}

}  // namespace

bool InputLog::has_calls() const {
  std::span<const std::uint64_t> rest = words;
  std::optional<wire::InputHead> first = head_at(rest);
  if (first && first->kind == wire::InputKind::kServed) {
    first = head_at(rest.subspan(wire::words_of_input(first->size)));
  }
  return first && first->kind == wire::InputKind::kCall && first->call == SYS_prctl;
}

std::optional<InputTotals> totals_of(std::span<const std::uint64_t> words) {
  InputTotals totals;
  while (!words.empty()) {
    const std::optional<wire::InputHead> head = head_at(words);
    if (!head) return std::nullopt;
    ++totals.entries;
    totals.bytes += head->size;
    words = words.subspan(wire::words_of_input(head->size));
  }
  return totals;
}

void InputCollector::take(std::span<const std::uint64_t> words) {
  if (is_full_ || log_.words.size() + words.size() > most_words_) {
    is_full_ = true;
    return;
  }
  log_.words.insert(log_.words.end(), words.begin(), words.end());
}

InputLog InputCollector::finish() const {
  InputLog log = log_;
  if (is_full_) {
    log.incomplete = "the run got more than " +
                     std::to_string(most_words_ * sizeof(std::uint64_t) >> 20) +
                     " MiB from outside; --max-input SIZE records more";
    log.words.clear();
    return log;
  }
  // A run that was killed may have left half an entry at the end.
  std::span<const std::uint64_t> rest = log.words;
  while (const std::optional<wire::InputHead> head = head_at(rest)) {
    const std::size_t used = wire::words_of_input(head->size);
    if (head->kind == wire::InputKind::kNone) {
      const auto* text = reinterpret_cast<const char*>(rest.data()) + sizeof(wire::InputHead);
      log.incomplete = std::string(text, std::min<std::size_t>(head->size, 200));
      rest = {};
      log.words.clear();
      return log;
    }
    rest = rest.subspan(used);
  }
  log.words.resize(log.words.size() - rest.size());
  return log;
}

std::vector<std::byte> encode(const InputLog& log) {
  FieldWriter writer(kFormat);
  writer.text(log.incomplete);
  writer.number(log.words.size());
  for (std::size_t at = 0; at < log.words.size(); at += kBlockWords) {
    const auto block = std::as_bytes(
        std::span(log.words).subspan(at, std::min(kBlockWords, log.words.size() - at)));
    const std::vector<std::byte> packed = compress_fast(block);
    writer.text({reinterpret_cast<const char*>(packed.data()), packed.size()});
  }
  return writer.seal();
}

Result<InputLog> decode_input_log(std::span<const std::byte> bytes) {
  Result<FieldReader> reader = FieldReader::open(kFormat, bytes);
  if (!reader) return fail(reader.error());
  InputLog log;
  log.incomplete = reader->text();
  // A few bytes can claim to be gigabytes.
  const std::uint64_t words = reader->number_below(wire::kMostInputWords + 1, "size");
  while (reader->good() && log.words.size() < words) {
    const std::string packed = reader->text();
    if (!reader->good()) break;
    const std::size_t expected =
        std::min<std::size_t>(kBlockWords, words - log.words.size()) * sizeof(std::uint64_t);
    const Result<std::vector<std::byte>> block =
        decompress(std::as_bytes(std::span(packed)), expected, kFormat.noun);
    if (!block) return fail(block.error());
    if (block->size() != expected) {
      reader->refuse("a block has another size than it says");
      break;
    }
    const std::size_t before = log.words.size();
    log.words.resize(before + expected / sizeof(std::uint64_t));
    std::memcpy(&log.words[before], block->data(), expected);
  }
  if (reader->good() && !totals_of(log.words)) reader->refuse("its entries are not whole");
  if (const std::optional<Error> error = reader->finish()) return fail(*error);
  return log;
}

}  // namespace unravel
