#include "data/trace_decoder.hpp"

namespace unravel {

namespace {

using wire::Operation;
using wire::TraceHead;

// Few enough events to stay in the cache together with the analysis. Chosen by hand.
constexpr std::size_t kBlock = 4096;

}  // namespace

wire::Site site_of(std::uint64_t address, std::span<const wire::Module> modules) {
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const wire::Module& module = modules[i];
    if (address < module.base || address >= module.end) continue;
    return wire::Site::of(static_cast<std::uint32_t>(i), address - module.base);
  }
  return {};
}

void TraceDecoder::begin() {
  block_.clear();
  sites_.assign(1, wire::Site{});
  index_of_.clear();
  known_ = {};
  thread_ = 0;
  clock_ = {};
  events_ = 0;
  damaged_ = false;
}

bool TraceDecoder::take(std::span<const std::uint64_t> words,
                        std::span<const wire::Module> modules) {
  modules_ = modules;
  while (!words.empty() && !damaged_) {
    const TraceHead head{words[0]};
    if (head.operation() == wire::kTurn) {
      damaged_ = words.size() < 3 || head.site() >= wire::kMostThreadsInRun;
      if (damaged_) break;
      thread_ = static_cast<std::uint32_t>(head.site());
      clock_ = {.operations = words[1], .hooks = words[2]};
      words = words.subspan(3);
      continue;
    }
    TraceEvent& event = block_.emplace_back();
    const std::size_t used = decode(words, event);
    if (used == 0) {
      block_.pop_back();
      damaged_ = true;
      break;
    }
    words = words.subspan(used);
    if (block_.size() < kBlock) continue;
    events_ += block_.size();
    consume_(block_);
    block_.clear();
  }
  events_ += block_.size();
  if (!block_.empty()) consume_(block_);
  block_.clear();
  return events_ < most_ && !damaged_;
}

std::size_t TraceDecoder::decode(std::span<const std::uint64_t> words, TraceEvent& event) {
  const TraceHead head{words[0]};
  if (head.operation() >= wire::kOperationCount) return 0;
  event.operation = static_cast<Operation>(head.operation());
  event.thread = thread_;
  event.site = index_of(head.site());

  const wire::Counts counts = wire::traits(event.operation).counts;
  const std::uint8_t detail = head.detail();
  const bool is_hook = counts == wire::Counts::kHook;
  const bool size_follows = is_hook ? (detail & TraceHead::kSizeMask) == TraceHead::kSizeFollows
                                    : counts == wire::Counts::kNothing;
  const bool has_object = !is_hook || wire::traces_object(event.operation);
  const bool has_value = !is_hook || (detail & TraceHead::kValueFollows) != 0;
  std::size_t used = 1;
  if (words.size() < used + has_object + size_follows + has_value) return 0;
  if (has_object) event.object = words[used++];
  if (size_follows) event.size = words[used++];
  if (has_value) event.value = words[used++];

  switch (counts) {
    case wire::Counts::kHook: {
      ++clock_.hooks;
      const bool has_size = wire::is_access(event.operation) &&
                            !wire::has_effect(event.operation, wire::Effect::kFree);
      if (has_size && !size_follows) {
        event.size = std::uint64_t{1} << (detail & TraceHead::kSizeMask);
      }
      const auto order =
          static_cast<std::uint8_t>(detail >> TraceHead::kOrderShift & TraceHead::kOrderMask);
      if (order >= wire::kMemoryOrderCount) return 0;
      event.order = static_cast<wire::MemoryOrder>(order);
      event.has_value = has_value;
      if (detail & TraceHead::kFailed) event.result = wire::EventResult::kFailed;
      break;
    }
    case wire::Counts::kOperation:
      if (detail >= wire::kEventResultCount) return 0;
      event.result = static_cast<wire::EventResult>(detail);
      event.has_value = true;
      ++clock_.operations;
      clock_.hooks = 0;
      break;
    case wire::Counts::kNothing: event.has_value = true; break;
  }
  event.clock = clock_;
  return used;
}

std::uint32_t TraceDecoder::index_of(std::uint64_t address) {
  if (address == 0) return 0;
  Known& known = known_[address % known_.size()];
  if (known.address == address) return known.index;
  const auto [found, is_new] =
      index_of_.try_emplace(address, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) sites_.push_back(site_of(address, modules_));
  known = {address, found->second};
  return found->second;
}

}  // namespace unravel
