/// Two stored runs of one program, with their steps: for `diff`.
#pragma once

#include <string>

#include "data/run.hpp"
#include "investigate/observer.hpp"

namespace unravel {

struct ComparedRuns {
  Run left;
  Run right;
};

/// `may_run`: run the program again if steps were not stored.
Result<ComparedRuns> compare_kept(const std::string& left, const std::string& right,
                                  const std::string& store, bool may_run, Observer& observer);

}  // namespace unravel
