/// Two kept runs of one program, with their steps: for `diff`.
#pragma once

#include <string>

#include "data/run.hpp"
#include "investigate/observer.hpp"

namespace unravel {

struct ComparedRuns {
  Run left;
  Run right;
};

/// `may_run`: the program is run once more for steps that were not kept.
Result<ComparedRuns> compare_kept(const std::string& left, const std::string& right,
                                  const std::string& store, bool may_run, Observer& observer);

}  // namespace unravel
