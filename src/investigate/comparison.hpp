/// Two stored runs of one program, with their steps: for `diff`.
#pragma once

#include <string>

#include "data/run.hpp"
#include "investigate/observer.hpp"
#include "investigate/run_name.hpp"

namespace unravel {

struct ComparedRuns {
  Run left;
  Run right;
};

/// `may_run`: run the program again if steps were not stored.
Result<ComparedRuns> compare_kept(const RunName& left, const RunName& right,
                                  const std::string& store, bool may_run, Observer& observer);

}  // namespace unravel
