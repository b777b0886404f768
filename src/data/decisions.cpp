#include "data/decisions.hpp"

#include "wire/independence.hpp"

namespace unravel {

using wire::AlternativeHead;
using wire::DecisionHead;
using wire::DecisionKind;

bool independent(const Alternative& one, const Alternative& other) {
  if (one.thread == other.thread) return false;
  if (one.ability == wire::Ability::kTimeOut || other.ability == wire::Ability::kTimeOut) {
    return false;
  }
  return wire::independent({one.operation, one.object, one.also},
                           {other.operation, other.object, other.also});
}

void DecisionDecoder::begin() {
  runs_.clear();
  damaged_ = false;
}

bool DecisionDecoder::take(std::span<const std::uint64_t> words,
                           std::span<const wire::Module> modules) {
  while (!words.empty() && !damaged_) {
    const std::size_t used = decode(words, modules);
    damaged_ = used == 0;
    words = words.subspan(used);
  }
  return !damaged_;
}

std::size_t DecisionDecoder::decode(std::span<const std::uint64_t> words,
                                    std::span<const wire::Module> modules) {
  const DecisionHead head{words[0]};
  const std::size_t length = DecisionHead::kWords + head.count() * AlternativeHead::kWords;
  if (head.kind() >= wire::kDecisionKindCount || words.size() < length) return 0;
  const auto kind = static_cast<DecisionKind>(head.kind());
  if (kind == DecisionKind::kRun) {
    runs_.push_back({.ordinal = words[1]});
    return length;
  }
  if (runs_.empty() || head.chosen() >= wire::kMostThreadsInRun) return 0;

  std::vector<Alternative> alternatives;
  for (std::size_t at = DecisionHead::kWords; at < length; at += AlternativeHead::kWords) {
    const AlternativeHead one{words[at]};
    if (one.operation() >= wire::kOperationCount || one.ability() >= wire::kAbilityCount ||
        words[at + 2] >= wire::kMostThreadsInRun) {
      return 0;
    }
    alternatives.push_back({.thread = static_cast<std::uint32_t>(words[at + 2]),
                            .ability = static_cast<wire::Ability>(one.ability()),
                            .operation = static_cast<wire::Operation>(one.operation()),
                            .object = words[at + 1],
                            .also = words[at + 3],
                            .site = site_of(one.site(), modules)});
  }
  RunDecisions& run = runs_.back();
  if (kind == DecisionKind::kEnd) {
    run.has_ended = true;
    run.last = head.chosen();
    run.at_end = std::move(alternatives);
  } else {
    run.decisions.push_back({.kind = kind,
                             .step = words[1],
                             .chosen = head.chosen(),
                             .fires_timeout = head.fires_timeout(),
                             .alternatives = std::move(alternatives)});
  }
  return length;
}

}  // namespace unravel
