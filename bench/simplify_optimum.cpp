// How few switches can a failure need? Part of the benchmark simplify.
//
// Looks for the run that fails with a given key and has the fewest switches, of those the fewest
// preemptions, among all runs of the program: best first (A*), by running. A run is made of a
// list of moves away from the rule stay. From each run come those with one more move: at
// every point behind the last move at which a thread can be left, every other thread that can run;
// where a thread cannot go on, every other one instead of the next; where a signal has several
// waiters, every other one of these. What is not tried: leaving a thread elsewhere than right
// before what others can see (it would make no difference), and states in which the same thread
// went on that were reached with as few switches before.
//
// The points are those of the schedules that are given. Prints JSON: "known", and then "switches"
// and "preemptions" are the fewest; if the budget of runs was used up first, they are the fewest
// seen (null: none), and "at_least" is what has been shown.
#include <fmt/core.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <queue>
#include <set>

#include "base/files.hpp"
#include "common/moves.hpp"
#include "common/programs.hpp"
#include "run/pool.hpp"

using namespace unravel;
using namespace unravel::bench;
using Json = nlohmann::ordered_json;

namespace {

// More than any thread does.
constexpr wire::Clock kForEver{.operations = std::uint64_t{1} << 40, .hooks = 0};

struct Request {
  std::vector<std::string> schedules;
  std::string key;
  Moves::Options moves;
  std::uint64_t runs = 200'000;
  unsigned jobs = 1;
  std::vector<std::string> program;
};

struct Switches {
  std::uint64_t all = 0;
  std::uint64_t preemptions = 0;

  friend auto operator<=>(const Switches&, const Switches&) = default;
};

/// A run that is to be made: as decided up to the last move, then by the rule stay.
struct Node {
  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::uint64_t preemptions = 0;
  std::uint64_t still_needed = 0;
  std::size_t actions = 0;   // before the last move
  std::uint64_t before = 0;  // fingerprint there
  std::uint32_t to = 0;      // who runs then
  std::uint64_t state = 0;   // of both, in the table of those that were reached
  std::uint64_t ordinal = 0;

  [[nodiscard]] Switches so_far() const { return {slices.size() - 1, preemptions}; }
  [[nodiscard]] Switches at_least() const {
    return {slices.size() - 1 + still_needed, preemptions};
  }
};

struct Later {
  bool operator()(const Node& one, const Node& other) const {
    if (one.at_least() != other.at_least()) return one.at_least() > other.at_least();
    return one.ordinal > other.ordinal;
  }
};

wire::Slice slice_of(std::uint32_t thread, wire::Clock until = kForEver) {
  wire::Slice slice;
  slice.thread.ordinal = thread;
  slice.until = until;
  return slice;
}

std::uint64_t state_of(std::uint64_t fingerprint, std::uint32_t next, std::uint64_t more = 0) {
  return fingerprint ^ (next + 1) * 0x9e3779b97f4a7c15 ^ more * 0xc2b2ae3d27d4eb4f;
}

class Search {
 public:
  explicit Search(Request request) : request_(std::move(request)), base_(schedule_of(request_)) {
    request_.moves.points = base_.points;
    for (const wire::Site site : base_.marks) request_.moves.marks.insert(site.packed);
    RunnerOptions options;
    options.points = base_.points;
    options.marks = base_.marks;
    options.scratch_directory = scratch_.path();
    pool_ = std::make_unique<Pool>(must(find_program(request_.program)), options, request_.jobs);
  }

  Json find() {
    Node first;
    first.slices.push_back(slice_of(0));
    waiting_.push(std::move(first));
    while (!waiting_.empty() && !done()) {
      if (runs_ >= request_.runs) return result(false);
      take_batch();
    }
    return result(true);
  }

 private:
  /// A run under way, with its trace.
  struct Attempt {
    Node node;
    std::vector<TraceEvent> events = {};
    std::unique_ptr<TraceDecoder> decoder = nullptr;
    std::future<Result<Run>> run = {};
  };

  /// Of the first one, with the points of all; no slices.
  static Schedule schedule_of(const Request& request) {
    Schedule base;
    for (const std::string& file : request.schedules) {
      Schedule schedule = must(decode_schedule(must(read_file(file))));
      if (base.modules.empty()) base = schedule;
      if (base.modules != schedule.modules || base.points != schedule.points) {
        give_up(fmt::format("{} is of another build, or has other points", file));
      }
      std::set<std::uint64_t> marks;
      for (const auto& list : {base.marks, schedule.marks}) {
        for (const wire::Site site : list) marks.insert(site.packed);
      }
      base.marks.clear();
      for (const std::uint64_t mark : marks) base.marks.push_back({mark});
    }
    base.slices.clear();
    base.choices.clear();
    base.constraints.clear();
    base.clock_switches.clear();
    base.complete = false;
    base.then = {};
    return base;
  }

  bool done() const { return best_ && !(waiting_.top().at_least() < *best_); }

  void take_batch() {
    std::vector<std::unique_ptr<Attempt>> attempts;
    while (!waiting_.empty() && !done() && attempts.size() < std::size_t{4} * request_.jobs) {
      Node node = waiting_.top();
      waiting_.pop();
      if (const auto found = reached_.find(node.state);
          found != reached_.end() && found->second < node.so_far()) {
        continue;
      }
      attempts.push_back(start(std::move(node)));
    }
    for (const auto& attempt : attempts) finish(*attempt);
  }

  std::unique_ptr<Attempt> start(Node node) {
    ++runs_;
    auto attempt = std::make_unique<Attempt>(Attempt{std::move(node)});
    attempt->decoder = std::make_unique<TraceDecoder>(
        [events = &attempt->events](std::span<const TraceEvent> more) {
          events->insert(events->end(), more.begin(), more.end());
        });
    attempt->run = pool_->submit(request_for(attempt->node, attempt->decoder.get()));
    return attempt;
  }

  RunRequest request_for(const Node& node, TraceSink* sink) const {
    RunRequest request;
    request.schedule = base_;
    request.schedule.slices = node.slices;
    request.schedule.choices = node.choices;
    request.following = wire::Following::kLenient;
    request.trace = sink ? wire::TraceLevel::kMemory : wire::TraceLevel::kSwitches;
    request.sink = sink;
    request.pairs = false;
    return request;
  }

  void finish(Attempt& attempt) {
    const Run run = must(attempt.run.get());
    if (run.summary.outcome == Outcome::kError) give_up(run.explanation);
    const Moves moves(attempt.events, attempt.decoder->sites(), run, request_.moves);
    const Node& node = attempt.node;
    if (fails(run)) note_failure(run, node, moves);
    if (moves.actions() <= node.actions) return;
    // The thread could not run, after all.
    if (moves.fingerprint(node.actions) != node.before && node.actions > 0) return;
    if (moves.thread_of(node.actions) != node.to) return;
    expand(node, moves);
  }

  bool fails(const Run& run) const {
    return run.summary.outcome == Outcome::kFailed && run.failure &&
           run.failure->key == request_.key;
  }

  void note_failure(const Run& run, const Node& node, const Moves& moves) {
    note({run.summary.switches, run.summary.preemptions});
    const std::vector<wire::Slice> all = slices_up_to(node, moves, moves.actions());
    if (run.summary.switches < all.size() || (best_ && best_->all + 1 < all.size())) return;
    // The rule also gave turns to threads that did nothing with them.
    Node without = node;
    without.slices = all;
    ++runs_;
    const Run again = must(pool_->submit(request_for(without, nullptr)).get());
    if (fails(again)) note({again.summary.switches, again.summary.preemptions});
  }

  void note(Switches switches) {
    if (!best_ || switches < *best_) best_ = switches;
  }

  /// What was decided, and then who ran until the action with this number.
  static std::vector<wire::Slice> slices_up_to(const Node& node, const Moves& moves,
                                               std::size_t action) {
    std::vector<wire::Slice> slices = node.slices;
    for (const Stretch& stretch : moves.stretches()) {
      if (stretch.first > node.actions && stretch.first < action) {
        slices.push_back(slice_of(stretch.thread));
      }
    }
    return slices;
  }

  void expand(const Node& node, const Moves& moves) {
    Switches here = node.so_far();
    for (std::size_t i = node.actions + 1; i < moves.actions(); ++i) {
      const bool switched = moves.thread_of(i) != moves.thread_of(i - 1);
      const Switches before = here;
      if (switched) ++here.all;
      if (best_ && before.all > best_->all) return;
      for (const Move& move : moves.before(i)) add(node, moves, move);
      if (!is_better(state_of(moves.fingerprint(i), moves.thread_of(i)), here)) return;
    }
  }

  /// And notes it, if it is.
  bool is_better(std::uint64_t state, Switches switches) {
    const auto [found, is_new] = reached_.try_emplace(state, switches);
    if (!is_new && found->second <= switches) return false;
    found->second = switches;
    return true;
  }

  void add(const Node& node, const Moves& moves, const Move& move) {
    Node next;
    next.slices = slices_up_to(node, moves, move.actions);
    next.choices = node.choices;
    next.preemptions = node.preemptions + (move.preempts ? 1 : 0);
    if (move.left_at) next.slices.back().until = *move.left_at;
    if (move.choice) {
      next.choices.push_back(*move.choice);
      if (next.slices.back().thread.ordinal != move.to) next.slices.push_back(slice_of(move.to));
    } else {
      next.slices.push_back(slice_of(move.to));
    }
    next.still_needed = move.still_needed;
    next.actions = move.actions;
    next.before = move.before;
    next.to = move.to;
    next.state = state_of(move.before, move.to, move.choice ? move.choice->value + 1 : 0);
    next.ordinal = ++nodes_;
    if (best_ && !(next.at_least() < *best_)) return;
    if (is_better(next.state, next.so_far())) waiting_.push(std::move(next));
  }

  Json result(bool known) const {
    Json json{{"known", known && best_.has_value()}};
    json["switches"] = best_ ? Json(best_->all) : Json(nullptr);
    json["preemptions"] = best_ ? Json(best_->preemptions) : Json(nullptr);
    if (!known) json["at_least"] = waiting_.top().at_least().all;
    json["runs"] = runs_;
    json["states"] = reached_.size();
    return json;
  }

  Request request_;
  const Schedule base_;
  TemporaryDirectory scratch_;
  std::unique_ptr<Pool> pool_;
  std::priority_queue<Node, std::vector<Node>, Later> waiting_;
  std::map<std::uint64_t, Switches> reached_;
  std::optional<Switches> best_;
  std::uint64_t runs_ = 0;
  std::uint64_t nodes_ = 0;
};

[[noreturn]] void explain_usage(const std::string& wrong) {
  give_up(wrong +
          "\nusage: simplify_optimum --schedule FILE [--schedule FILE]... --key KEY "
          "[--needs blocked|ended] [--alike] [--runs N] [--jobs N] -- PROGRAM ARGUMENTS...");
}

std::uint64_t number_of(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value == 0) {
    explain_usage(fmt::format("{} takes a whole number from 1 up, not '{}'", option, text));
  }
  return value;
}

Request parse(const std::vector<std::string>& arguments) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--") {
      request.program.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             arguments.end());
      break;
    }
    if (option == "--alike") {
      request.moves.alike = true;
      continue;
    }
    if (i + 1 == arguments.size()) explain_usage(fmt::format("'{}' has no value", option));
    const std::string& value = arguments[++i];
    if (option == "--schedule") {
      request.schedules.push_back(value);
    } else if (option == "--key") {
      request.key = value;
    } else if (option == "--needs" && (value == "blocked" || value == "ended")) {
      request.moves.needs = value == "blocked" ? Needs::kAllBlocked : Needs::kAllEnded;
    } else if (option == "--runs") {
      request.runs = number_of(option, value);
    } else if (option == "--jobs") {
      request.jobs = static_cast<unsigned>(number_of(option, value));
    } else {
      explain_usage(fmt::format("'{} {}' is not known", option, value));
    }
  }
  if (request.schedules.empty()) explain_usage("a schedule is needed: it tells the points");
  if (request.key.empty()) explain_usage("the failure's key is needed");
  if (request.program.empty()) explain_usage("a program is needed, after --");
  return request;
}

}  // namespace

int main(int argc, char** argv) {
  Search search(parse({argv + 1, argv + argc}));
  fmt::print("{}\n", search.find().dump());
}
