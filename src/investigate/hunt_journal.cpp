#include "investigate/hunt_journal.hpp"

namespace unravel {

HuntJournal::HuntJournal(HuntStore store, HuntRow hunt, std::uint64_t most_bytes)
    : store_(std::move(store)),
      hunt_(std::move(hunt)),
      most_bytes_(most_bytes),
      before_(hunt_.seconds) {}

Result<HuntJournal> HuntJournal::begin(const std::filesystem::path& store, HuntRow hunt,
                                       std::uint64_t most_bytes) {
  Result<HuntStore> opened = HuntStore::open(store);
  if (!opened) return fail(opened.error());
  Result<std::string> id = opened->begin(hunt);
  if (!id) return fail(id.error());
  hunt.id = std::move(*id);
  return HuntJournal(std::move(*opened), std::move(hunt), most_bytes);
}

Result<HuntJournal> HuntJournal::resume(const std::filesystem::path& store, const HuntRow& like,
                                        std::uint64_t most_bytes) {
  Result<HuntStore> opened = HuntStore::open(store);
  if (!opened) return fail(opened.error());
  Result<std::optional<HuntRow>> found = opened->unfinished(like.command, like.directory);
  if (!found) return fail(found.error());
  if (!*found) {
    return user_error("there is no hunt to resume",
                      "no hunt of this program with these arguments was interrupted here",
                      "start a new one without --resume");
  }
  if ((*found)->build != like.build) {
    return user_error("the interrupted hunt was of another build of the program", {},
                      "start a new one without --resume");
  }
  const Result<HuntStore::Extent> extent = opened->extent((*found)->id);
  if (!extent) return fail(extent.error());
  HuntJournal journal(std::move(*opened), std::move(**found), most_bytes);
  journal.next_ = 0;
  journal.number_ = extent->rounds;
  journal.bytes_ = extent->bytes;
  journal.has_rest_ = extent->has_rest;
  journal.hunt_.runs = 0;  // next() counts them again
  return journal;
}

Result<std::optional<JournalEntry>> HuntJournal::next() {
  if (!next_) return std::optional<JournalEntry>();
  Result<std::optional<HuntStore::Round>> round = store_.round_from(hunt_.id, *next_);
  if (!round) return fail(round.error());
  if (!*round) {
    next_.reset();
    return std::optional<JournalEntry>();
  }
  Result<JournalEntry> entry = decode_journal_entry((*round)->data);
  if (!entry) return fail(entry.error());
  next_ = (*round)->number + 1;
  if (entry->totals) {
    hunt_.runs = entry->totals->explored.runs;
    next_.reset();
  } else {
    hunt_.runs += entry->runs.size();
  }
  return std::optional(std::move(*entry));
}

Result<void> HuntJournal::add(const JournalEntry& entry) {
  hunt_.seconds =
      (before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_)).count();
  const std::vector<std::byte> bytes = encode(entry);
  if (entry.totals) {
    hunt_.runs = entry.totals->explored.runs;
    has_rest_ = true;
    return store_.set_rest(hunt_, bytes);
  }
  hunt_.runs += entry.runs.size();
  bytes_ += bytes.size();
  return store_.add_round(hunt_, number_++, bytes);
}

Result<void> HuntJournal::end() {
  hunt_.ended = true;
  return store_.end(hunt_);
}

}  // namespace unravel
