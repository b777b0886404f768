/// Explains a failure: finds the simplest run that shows it, and the switch that decides.
#pragma once

#include "data/finding.hpp"
#include "data/settings.hpp"
#include "investigate/narrowing.hpp"
#include "investigate/simplification.hpp"
#include "store/store.hpp"

namespace unravel {

struct Explaining {
  Pool& pool;
  Store& store;
  const RunSettings& settings;
  const std::string& input;
  Observer& observer;
  // The user's time limit. Even after it, it is checked whether the order of threads matters.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool depends_on_order = false;  // already known, because other runs passed
  // What the runs of the pool get; null: their inputs come from outside.
  std::shared_ptr<const InputLog> inputs = nullptr;
  std::optional<ClientEnd> client = {};  // with `inputs`: how the client of that run ended
};

/// `failing` must be stored and verified. After an interruption the result is what was found so
/// far.
Result<Explained> explain(const Explaining& with, const Run& failing);

}  // namespace unravel
