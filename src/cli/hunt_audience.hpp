/// What a hunt finds: replayed, kept and told, once for each failure.
#pragma once

#include <chrono>
#include <functional>

#include "cli/console.hpp"
#include "cli/explaining.hpp"
#include "cli/known_failures.hpp"
#include "cli/verification.hpp"
#include "data/settings.hpp"
#include "explore/hunt_loop.hpp"
#include "store/store.hpp"

namespace unravel {

/// A failure as it was found and kept.
struct Kept {
  Run run;
  std::uint64_t found_at_run = 0;
  std::optional<Verification> verification;  // nothing: it could not be replayed
  std::optional<Explained> explained;
  std::optional<Error> unkept;  // why it is not in the store

  [[nodiscard]] bool verified() const { return verification && verification->verified(); }
};

class HuntAudience final : public Audience {
 public:
  struct Keeping {
    Pool& pool;
    Store& store;
    const Console& console;
    const KnownFailures& known;
    RunSettings settings;
    std::string input;
    Interruption& interruption;
    bool explore = false;                                           // go on after a failure
    bool explains = false;                                          // what is found
    std::optional<std::chrono::steady_clock::time_point> deadline;  // of the user's, for all of it
  };

  explicit HuntAudience(Keeping keeping);

  Result<bool> found(Run run, std::uint64_t at_run) override;
  void progress(const Explored& explored) override;

  /// No line of progress is left on the terminal.
  void clear();

  [[nodiscard]] const std::vector<Kept>& kept() const { return kept_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// What went wrong with it, if anything did.
  std::optional<Error> verify(Kept& kept);
  std::optional<Error> explain(Kept& kept);
  void tell(const Kept& kept);
  std::string explanation(const Kept& kept) const;
  std::string cause(const Kept& kept) const;

  Keeping keeping_;
  std::vector<Kept> kept_;
  bool others_passed_ = false;  // runs of this hunt
  Clock::time_point last_line_ = Clock::now();
  bool is_shown_ = false;
};

}  // namespace unravel
