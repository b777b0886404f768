#include "cli/hunt_journal.hpp"

namespace unravel {

HuntJournal::HuntJournal(HuntStore store, HuntRow hunt)
    : store_(std::move(store)), hunt_(std::move(hunt)), before_(hunt_.seconds) {}

Result<HuntJournal> HuntJournal::begin(const std::filesystem::path& store, HuntRow hunt) {
  Result<HuntStore> opened = HuntStore::open(store);
  if (!opened) return fail(opened.error());
  Result<std::string> id = opened->begin(hunt);
  if (!id) return fail(id.error());
  hunt.id = std::move(*id);
  return HuntJournal(std::move(*opened), std::move(hunt));
}

Result<HuntJournal> HuntJournal::resume(const std::filesystem::path& store, const HuntRow& like) {
  Result<HuntStore> opened = HuntStore::open(store);
  if (!opened) return fail(opened.error());
  Result<std::optional<HuntRow>> found = opened->unfinished(like.command, like.directory);
  if (!found) return fail(found.error());
  if (!*found) {
    return user_error("there is no hunt to go on with",
                      "none of this program with these arguments was interrupted here",
                      "begin one, without --resume");
  }
  if ((*found)->build != like.build) {
    return user_error("the hunt that was interrupted was of another build of the program", {},
                      "begin a new one, without --resume");
  }
  auto rounds = opened->rounds((*found)->id);
  if (!rounds) return fail(rounds.error());
  HuntJournal journal(std::move(*opened), std::move(**found));
  journal.rounds_ = std::move(*rounds);
  journal.number_ = journal.rounds_.size();
  journal.hunt_.runs = 0;  // they are counted as they come
  return journal;
}

Result<std::optional<JournalEntry>> HuntJournal::next() {
  if (next_ == rounds_.size()) return std::optional<JournalEntry>();
  Result<JournalEntry> entry = decode_journal_entry(rounds_[next_++]);
  if (!entry) return fail(entry.error());
  hunt_.runs += entry->runs.size();
  return std::optional(std::move(*entry));
}

Result<void> HuntJournal::add(const JournalEntry& entry) {
  hunt_.runs += entry.runs.size();
  hunt_.seconds =
      (before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - began_)).count();
  return store_.add_round(hunt_, number_++, encode(entry));
}

Result<void> HuntJournal::end() {
  hunt_.ended = true;
  return store_.end(hunt_);
}

}  // namespace unravel
