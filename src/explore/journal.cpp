#include "explore/journal.hpp"

#include "data/pack.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVHUN", .noun = "round of a hunt", .version = 1};
constexpr std::uint64_t kOutcomeCount = 5;

// A round has at most this many runs, and maps are small.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

void pack_words(Packer& out, const std::vector<std::uint64_t>& words) {
  out.number(words.size());
  for (const std::uint64_t word : words) out.number(word);
}

std::vector<std::uint64_t> unpack_words(Unpacker& in) {
  std::vector<std::uint64_t> words(in.count(1));
  for (std::uint64_t& word : words) word = in.number();
  return words;
}

}  // namespace

std::vector<std::byte> encode(const JournalEntry& entry) {
  Packer out(kFormat);
  out.flag(entry.is_lesson);
  out.number(entry.runs.size());
  for (const RunSummary& run : entry.runs) {
    out.number(static_cast<std::uint64_t>(run.outcome));
    out.number(run.steps);
    out.number(run.threads);
    out.number(run.schedule_hash);
    out.number(run.behaviour);
    out.number(run.new_pairs);
  }
  out.number(entry.pairs.size());
  for (const SitePair& pair : entry.pairs) {
    out.number(pair.first.packed);
    out.number(pair.second.packed);
    out.flag(pair.is_data);
    out.flag(pair.seen_first);
    out.flag(pair.seen_second);
  }
  out.number(entry.failures.size());
  for (const auto& [key, runs] : entry.failures) {
    out.text(key);
    out.number(runs);
  }
  pack_words(out, entry.maps.met);
  pack_words(out, entry.maps.interrupted);
  pack_words(out, entry.maps.bases);
  return compress_fast(out.seal());
}

Result<JournalEntry> decode_journal_entry(std::span<const std::byte> bytes) {
  const auto plain = decompress(bytes, kMostBytes, kFormat.noun);
  if (!plain) return fail(plain.error());
  Result<Unpacker> opened = Unpacker::open(kFormat, *plain);
  if (!opened) return fail(opened.error());
  Unpacker& in = *opened;
  JournalEntry entry;
  entry.is_lesson = in.flag();
  entry.runs.resize(in.count(6));
  for (RunSummary& run : entry.runs) {
    run.outcome = in.enumerator<Outcome>(kOutcomeCount, "outcome");
    run.steps = in.number();
    run.threads = in.integer<std::uint32_t>("number of threads");
    run.schedule_hash = in.number();
    run.behaviour = in.number();
    run.new_pairs = in.integer<std::uint32_t>("number of pairs");
  }
  entry.pairs.resize(in.count(5));
  for (SitePair& pair : entry.pairs) {
    pair.first.packed = in.number();
    pair.second.packed = in.number();
    pair.is_data = in.flag();
    pair.seen_first = in.flag();
    pair.seen_second = in.flag();
  }
  const std::size_t failures = in.count(2);
  for (std::size_t i = 0; i < failures && in.good(); ++i) {
    const std::string key = in.text();
    entry.failures[key] = in.number();
  }
  entry.maps.met = unpack_words(in);
  entry.maps.interrupted = unpack_words(in);
  entry.maps.bases = unpack_words(in);
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return entry;
}

}  // namespace unravel
