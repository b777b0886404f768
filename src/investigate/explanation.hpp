/// From a failure that was found to what a person wants to know: the simplest run that shows it,
/// and the switch that decides.
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
  // Until then, if the user said so; the minimum is to check whether order matters.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  bool depends_on_order = false;  // it is known: other runs have passed
};

/// `failing` is kept, and was replayed. An observer ends it: what it knows by then is told.
Result<Explained> explain(const Explaining& with, const Run& failing);

}  // namespace unravel
