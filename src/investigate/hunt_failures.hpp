/// The failures of a hunt: each is verified, stored, explained and reported once.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "data/settings.hpp"
#include "explore/hunt_loop.hpp"
#include "investigate/explanation.hpp"
#include "investigate/known_failures.hpp"
#include "investigate/runner_request.hpp"
#include "store/store.hpp"

namespace unravel {

class HuntFailures final : public Audience {
 public:
  struct Setting {
    Pool& pool;
    Store& store;
    const KnownFailures& known;
    RunSettings settings;
    wire::PointSet points = wire::PointSet::kSync;  // of most runs
    std::string input;
    Observer& observer;
    bool predicts = false;  // it is a prediction, not a hunt
    bool goes_on = false;   // continue after a failure
    bool explains = false;  // explain failures
    std::optional<std::chrono::steady_clock::time_point> deadline;  // the user's time limit
    std::optional<RunnerRequest> recording = {};  // how inputs are recorded; nothing: they are not
  };

  explicit HuntFailures(Setting setting) : setting_(std::move(setting)) {}

  Result<bool> found(Run run, std::uint64_t at_run) override;
  void progress(const Explored& explored) override;

  [[nodiscard]] const std::vector<FoundFailure>& found_so_far() const { return found_; }

 private:
  /// Both return an error, if there was one.
  std::optional<Error> verify(FoundFailure& failure);
  std::optional<Error> explain(FoundFailure& failure);
  std::optional<Error> explain_in(Pool& pool, const Run& run,
                                  std::shared_ptr<const InputLog> inputs, FoundFailure& failure);
  Result<bool> explain_on_record(FoundFailure& failure);
  void tell(FoundFailure failure);

  Setting setting_;
  std::vector<FoundFailure> found_;
  bool others_passed_ = false;  // other runs of this hunt
};

}  // namespace unravel
