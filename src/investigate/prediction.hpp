/// Predicts bugs from a run that passed, and proves each by running it: for `predict`.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/judging.hpp"
#include "data/prediction.hpp"
#include "data/program.hpp"
#include "investigate/observer.hpp"
#include "investigate/run_name.hpp"
#include "predict/pattern.hpp"
#include "predict/suppressions.hpp"
#include "predict/witness.hpp"

namespace unravel {

struct PredictRequest {
  Judging judging;
  Suppressions suppressions;
  std::vector<Pattern> patterns;                         // the user's
  std::vector<std::string> atomic;                       // globs of functions that are to be atomic
  std::optional<std::array<bool, kAnomalyKinds>> kinds;  // nothing: all
  std::vector<Rung> rungs;                               // empty: all but the paper's
  std::uint64_t runs = 300;
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::uint64_t> jobs;
  std::uint64_t seed = 1;
  std::uint64_t rounds = 8;  // how often runs that went another way are analysed in turn
  bool confirms = true;
  bool explains = true;
  std::string store;  // a directory
  RunName run;        // a stored run; empty: the latest failure
  std::string input;
};

/// Both report every failure to the observer.
Result<PredictionReport> predict_in_run(const PredictRequest& request, Observer& observer);
Result<PredictionReport> predict_in_program(const PredictRequest& request, const Program& program,
                                            Observer& observer);

}  // namespace unravel
