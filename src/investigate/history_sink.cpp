#include "investigate/history_sink.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace unravel {

namespace {

bool same(std::span<const wire::Module> one, std::span<const wire::Module> other) {
  return one.size() == other.size() &&
         (one.empty() || std::memcmp(one.data(), other.data(), one.size_bytes()) == 0);
}

}  // namespace

HistorySink::HistorySink(std::vector<ExpectedEvent> expected, std::size_t most)
    : most_(most),
      watch_(std::move(expected)),
      shared_(std::make_unique<SharedMemory>()),
      first_([this](std::span<const TraceEvent> events) {
        shared_->take(events);
        if (!watch_.expected().empty()) watch_.take(events, first_.sites());
      }) {}

void HistorySink::begin() {
  *shared_ = SharedMemory();
  watch_.begin();
  first_.begin();
  words_.clear();
  portions_.clear();
  modules_.clear();
  is_cut_ = false;
}

bool HistorySink::take(std::span<const std::uint64_t> words,
                       std::span<const wire::Module> modules) {
  if (words_.size() + words.size() > most_) {
    is_cut_ = true;
    return false;
  }
  if (modules_.empty() || !same(modules_.back(), modules)) {
    modules_.emplace_back(modules.begin(), modules.end());
  }
  words_.insert(words_.end(), words.begin(), words.end());
  portions_.push_back({words.size(), modules_.size() - 1});
  return first_.take(words, modules);
}

void HistorySink::decode(TraceDecoder& decoder) const {
  std::span<const std::uint64_t> rest = words_;
  for (const Portion& portion : portions_) {
    if (!decoder.take(rest.first(portion.words), modules_[portion.modules])) return;
    rest = rest.subspan(portion.words);
  }
}

History HistorySink::history(AtomicFunctions& functions) {
  HistoryBuilder* builds = nullptr;
  TraceDecoder decoder([&](std::span<const TraceEvent> events) { builds->take(events); });
  std::vector<std::optional<bool>> known;  // by site
  HistoryBuilder::IsAtomic is_atomic;
  if (!functions.empty()) {
    is_atomic = [&](std::uint32_t site) {
      if (known.size() <= site) known.resize(decoder.sites().size());
      if (!known[site]) known[site] = contains(functions, decoder.sites()[site]);
      return *known[site];
    };
  }
  HistoryBuilder builder(*shared_, HistoryBuilder::kMostEvents, std::move(is_atomic));
  builds = &builder;
  decode(decoder);
  History history = builder.finish(decoder.sites());
  history.is_cut |= is_cut_;
  return history;
}

bool HistorySink::contains(AtomicFunctions& functions, wire::Site site) const {
  const std::vector<wire::Module>& modules = modules_.back();
  if (site.module() == wire::kNoModule || site.module() >= modules.size()) return false;
  return functions.contain(modules[site.module()].path, site.offset());
}

std::vector<std::uint64_t> HistorySink::occurrences_of(
    std::span<const ExpectedEvent> events) const {
  std::vector<std::uint64_t> counts(events.size());
  std::vector<bool> over(events.size());
  TraceDecoder decoder([&](std::span<const TraceEvent> block) {
    for (const TraceEvent& event : block) {
      for (std::size_t i = 0; i < events.size(); ++i) {
        const ExpectedEvent& wanted = events[i];
        if (over[i] || event.thread != wanted.thread || event.operation != wanted.operation ||
            decoder.sites()[event.site] != wanted.site) {
          continue;
        }
        ++counts[i];
        over[i] = event.clock == wanted.clock;
      }
    }
  });
  decode(decoder);
  return counts;
}

}  // namespace unravel
