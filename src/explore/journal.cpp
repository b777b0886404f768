#include "explore/journal.hpp"

#include <bit>

#include "data/bytes.hpp"

namespace unravel {

namespace {

// Version 1 had no totals, version 2 did not say which constraints a run kept and what it executed,
// version 3 had no predicted runs.
constexpr Format kFormat = {.magic = "UNRAVHUN",
                            .noun = "round of a hunt",
                            .version = 4,
                            .operation_table = 0,
                            .oldest = 1};
constexpr std::uint64_t kOutcomeCount = 5;

// A round has at most 512 runs, and maps are small.
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

void write_words(FieldWriter& out, const std::vector<std::uint64_t>& words) {
  out.number(words.size());
  for (const std::uint64_t word : words) out.number(word);
}

std::vector<std::uint64_t> read_words(FieldReader& in) {
  std::vector<std::uint64_t> words(in.count(1));
  for (std::uint64_t& word : words) word = in.number();
  return words;
}

void write_pairs(FieldWriter& out, const std::vector<SitePair>& pairs) {
  out.number(pairs.size());
  for (const SitePair& pair : pairs) {
    out.number(pair.first.packed);
    out.number(pair.second.packed);
    out.flag(pair.is_data);
    out.flag(pair.seen_first);
    out.flag(pair.seen_second);
    out.flag(pair.is_shared);
    write_words(out, pair.objects);
  }
}

std::vector<SitePair> read_pairs(FieldReader& in) {
  std::vector<SitePair> pairs(in.count(5));
  for (SitePair& pair : pairs) {
    pair.first.packed = in.number();
    pair.second.packed = in.number();
    pair.is_data = in.flag();
    pair.seen_first = in.flag();
    pair.seen_second = in.flag();
    if (in.version() < 3) continue;
    pair.is_shared = in.flag();
    pair.objects = read_words(in);
  }
  return pairs;
}

void write_predicted(FieldWriter& out, const std::vector<PredictedRun>& runs) {
  out.number(runs.size());
  for (const PredictedRun& run : runs) {
    out.number(run.cost);
    out.flag(run.proposal.following == wire::Following::kLenient);
    const std::vector<std::byte> schedule = encode(run.proposal.schedule);
    out.text({reinterpret_cast<const char*>(schedule.data()), schedule.size()});
  }
}

std::vector<PredictedRun> read_predicted(FieldReader& in) {
  std::vector<PredictedRun> runs(in.count(3));
  for (PredictedRun& run : runs) {
    run.cost = in.number();
    const bool is_lenient = in.flag();
    run.proposal.following = is_lenient ? wire::Following::kLenient : wire::Following::kNothing;
    const std::string bytes = in.text();
    if (!in.good()) break;
    Result<Schedule> schedule = decode_schedule(std::as_bytes(std::span(bytes)));
    if (!schedule) {
      in.refuse("a predicted run cannot be read: " + schedule.error().what);
      break;
    }
    run.proposal.schedule = std::move(*schedule);
  }
  return runs;
}

void write_failures(FieldWriter& out, const std::map<std::string, std::uint64_t>& failures) {
  out.number(failures.size());
  for (const auto& [key, runs] : failures) {
    out.text(key);
    out.number(runs);
  }
}

std::map<std::string, std::uint64_t> read_failures(FieldReader& in) {
  std::map<std::string, std::uint64_t> failures;
  const std::size_t count = in.count(2);
  for (std::size_t i = 0; i < count && in.good(); ++i) {
    const std::string key = in.text();
    failures[key] = in.number();
  }
  return failures;
}

/// Leaves out what is recomputed, such as seconds and coverage.
void write(FieldWriter& out, const JournalTotals& totals) {
  const Explored& explored = totals.explored;
  for (const std::uint64_t number :
       {explored.runs, explored.steps, explored.schedules, explored.behaviours, explored.since_new,
        explored.unresolved, totals.known.length, totals.known.longest}) {
    out.number(number);
  }
  out.number(totals.known.threads);
  out.text(explored.why_unresolved);
  write_words(out, explored.pct.runs);
  for (const double chance : explored.pct.chances) out.number(std::bit_cast<std::uint64_t>(chance));
  out.number(explored.shares.size());
  for (const StrategyShare& share : explored.shares) {
    out.text(share.strategy);
    out.number(share.runs);
    out.number(share.new_behaviours);
  }
  write_failures(out, explored.failures);
  write_pairs(out, totals.known.pairs);
}

JournalTotals read_totals(FieldReader& in) {
  JournalTotals totals;
  Explored& explored = totals.explored;
  for (std::uint64_t* number :
       {&explored.runs, &explored.steps, &explored.schedules, &explored.behaviours,
        &explored.since_new, &explored.unresolved, &totals.known.length, &totals.known.longest}) {
    *number = in.number();
  }
  if (totals.known.length == 0 || totals.known.longest == 0) in.refuse("a run has no steps");
  totals.known.threads = in.integer<std::uint32_t>("number of threads");
  explored.why_unresolved = in.text();
  explored.pct.runs = read_words(in);
  // An earlier version did not know how long its runs were: the bound says nothing about them.
  if (in.version() < 3) explored.pct.runs.clear();
  for (std::size_t i = 0; i < explored.pct.runs.size() && in.good(); ++i) {
    const auto chance = std::bit_cast<double>(in.number());
    if (!(chance >= 0 && chance <= static_cast<double>(explored.pct.runs[i]))) {
      in.refuse("a chance is out of range");
    }
    explored.pct.chances.push_back(chance);
  }
  const std::size_t shares = in.count(3);
  for (std::size_t i = 0; i < shares && in.good(); ++i) {
    StrategyShare& share = explored.shares.emplace_back();
    share.strategy = in.text();
    share.runs = in.number();
    share.new_behaviours = in.number();
  }
  explored.failures = read_failures(in);
  totals.known.pairs = read_pairs(in);
  return totals;
}

}  // namespace

std::vector<std::byte> encode(const JournalEntry& entry) {
  FieldWriter out(kFormat);
  out.flag(entry.is_lesson);
  out.number(entry.runs.size());
  for (const RunSummary& run : entry.runs) {
    out.number(static_cast<std::uint64_t>(run.outcome));
    out.number(run.steps);
    out.number(run.threads);
    out.number(run.schedule_hash);
    out.number(run.behaviour);
    out.number(run.new_pairs);
    out.number(run.kept);
    out.number(run.given_up);
    out.number(run.new_sites);
  }
  write_pairs(out, entry.pairs);
  write_predicted(out, entry.predicted);
  write_failures(out, entry.failures);
  write_words(out, entry.maps.met);
  write_words(out, entry.maps.preempted);
  write_words(out, entry.maps.bases);
  write_words(out, entry.maps.executed);
  out.flag(entry.totals.has_value());
  if (entry.totals) write(out, *entry.totals);
  return compress_fast(out.seal());
}

Result<JournalEntry> decode_journal_entry(std::span<const std::byte> bytes) {
  const auto plain = decompress(bytes, kMostBytes, kFormat.noun);
  if (!plain) return fail(plain.error());
  Result<FieldReader> opened = FieldReader::open(kFormat, *plain);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
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
    if (in.version() < 3) continue;
    run.kept = in.integer<std::uint32_t>("constraints that were kept");
    run.given_up = in.integer<std::uint32_t>("constraints that were given up");
    run.new_sites = in.integer<std::uint32_t>("number of new sites");
  }
  entry.pairs = read_pairs(in);
  if (in.version() >= 4) entry.predicted = read_predicted(in);
  entry.failures = read_failures(in);
  entry.maps.met = read_words(in);
  entry.maps.preempted = read_words(in);
  entry.maps.bases = read_words(in);
  if (in.version() >= 3) entry.maps.executed = read_words(in);
  if (in.version() > 1 && in.flag()) entry.totals = read_totals(in);
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return entry;
}

}  // namespace unravel
