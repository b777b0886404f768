/// `unravel predict`: predicts bugs from a run that passed, and proves each by running it.
#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "cli/standard_input.hpp"
#include "investigate/prediction.hpp"
#include "predict/pattern_text.hpp"

namespace unravel {

namespace {

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t comma = std::min(names.find(',', begin), names.size());
    parts.push_back(names.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return parts;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Error unknown(const std::string& what, const std::string& name,
              const std::vector<std::string>& known) {
  const std::string guess = nearest(name, known);
  return {Error::Kind::kUser,
          "there is no " + what + " '" + name + "'" +
              (guess.empty() ? "" : ", did you mean " + guess + "?"),
          {},
          "known: " + listed(known)};
}

class PredictCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    add_run_name(app, request_.run);
    option(app, "--patterns", patterns_, "file with patterns of accesses to look for, too")
        ->type_name("FILE");
    option(app, "--atomic", request_.atomic,
           "functions that are to be atomic, such as 'Account::*'; may be given several times")
        ->type_name("GLOB")
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all();
    option(app, "--only", kinds_, "only these kinds: " + listed(kinds()))->type_name("KIND,…");
    option(app, "--rungs", rungs_, "how to make witnesses, in this order: " + listed(rungs()))
        ->type_name("NAME,…");
    number(app, "--runs", request_.runs, "stop after this many runs (default: 300)", 1);
    duration(app, "--for", request_.time, "stop after this time: 30s, 10m");
    number(app, "--jobs", request_.jobs,
           "make this many runs at the same time (default: one per CPU)", 1);
    number(app, "--seed", request_.seed, "seed of what is random (default: 1)", 0);
    number(app, "--rounds", request_.rounds,
           "analyse runs that went another way so often in turn (default: 8)", 0);
    flag(app, "--no-confirm", no_confirm_, "predict only, make no run of a prediction");
    flag(app, "--find-only", find_only_, "do not explain failures");
    option(app, "--suppressions", suppressions_,
           "file with known anomalies, in lines such as function:NAME, file:NAME or variable:NAME")
        ->type_name("FILE");
    flag(app, "--all", all_, "also list anomalies that look benign or were not confirmed");
    add_judging(app, request_.judging);
    app.footer(
        "Examples:\n  unravel predict -- ./prog\n  unravel predict 3fa\n\n"
        "Exit status: 0 nothing was found, 1 a failure, or an anomaly that a run showed,\n"
        "2 nothing was tested: the analysed run was not resolved, or had one thread.");
  }

  std::vector<std::string>* program() override { return &program_; }

  Result<void> check() override {
    request_.confirms = !no_confirm_;
    request_.explains = !find_only_;
    if (!program_.empty() && !request_.run.empty()) {
      return user_error("`unravel predict` takes a stored run or a program, not both",
                        "'" + request_.run.text + "' comes before --, and a program after it",
                        "options of the program come after its name");
    }
    if (std::find(request_.atomic.begin(), request_.atomic.end(), "") != request_.atomic.end()) {
      return user_error(
          "--atomic '' names no function", {},
          "name functions as in the source, without parameters: --atomic 'Account::*'");
    }
    const Result<void> of_kinds = read_kinds();
    if (!of_kinds) return of_kinds;
    return read_rungs();
  }

  Result<int> run(const CommandContext& context) override {
    request_.store = context.store;
    const Result<void> read = read_files();
    if (!read) return fail(read.error());
    Result<PredictionReport> report =
        program_.empty() ? predict_in_run(request_, context.observer) : in_program(context);
    if (!report) return fail(report.error());
    if (report->is_cut) {
      context.reporter.warn("a run had too many events: what came after them was not analysed");
    }
    context.reporter.predicted(*report, all_);
    const int status = report->found_any() ? kFoundFailure : kNoFailure;
    if (report->trouble) {
      context.reporter.trouble(*report->trouble);
      return graver(status, exit_status(*report->trouble));
    }
    if (report->interrupted) {
      context.reporter.note("interrupted; what was found until then is told");
      return graver(status, kUserOrEnvironment);
    }
    const bool is_untested = !report->is_tested && !request_.judging.allow_untested;
    return is_untested ? graver(status, kUserOrEnvironment) : status;
  }

 private:
  static std::vector<std::string> kinds() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kAnomalyKinds; ++i) {
      names.emplace_back(name(static_cast<AnomalyKind>(i)));
    }
    return names;
  }
  static std::vector<std::string> rungs() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kRungs; ++i) names.emplace_back(name(static_cast<Rung>(i)));
    return names;
  }

  Result<void> read_kinds() {
    if (kinds_.empty()) return {};
    request_.kinds.emplace();
    request_.kinds->fill(false);
    const std::vector<std::string> known = kinds();
    for (const std::string& one : split(kinds_)) {
      const auto found = std::find(known.begin(), known.end(), one);
      if (found == known.end()) return fail(unknown("kind", one, known));
      (*request_.kinds)[static_cast<std::size_t>(found - known.begin())] = true;
    }
    return {};
  }

  Result<void> read_rungs() {
    if (rungs_.empty()) return {};
    for (const std::string& one : split(rungs_)) {
      const auto rung = rung_of(one);
      if (!rung) return fail(unknown("rung", one, rungs()));
      request_.rungs.push_back(*rung);
    }
    return {};
  }

  Result<void> read_files() {
    if (!suppressions_.empty()) {
      const Result<std::string> text = read_text_file(suppressions_);
      if (!text) return fail(text.error());
      Result<Suppressions> parsed = Suppressions::parse(*text, suppressions_);
      if (!parsed) return fail(parsed.error());
      request_.suppressions = std::move(*parsed);
    }
    if (patterns_.empty()) return {};
    const Result<std::string> text = read_text_file(patterns_);
    if (!text) return fail(text.error());
    Result<std::vector<Pattern>> parsed = parse_patterns(*text, patterns_);
    if (!parsed) return fail(parsed.error());
    request_.patterns = std::move(*parsed);
    return {};
  }

  Result<PredictionReport> in_program(const CommandContext& context) {
    Result<Program> program = find_program(program_);
    if (!program) return fail(program.error());
    Result<std::string> input = read_standard_input(context.observer);
    if (!input) return fail(input.error());
    request_.input = std::move(*input);
    return predict_in_program(request_, *program, context.observer);
  }

  PredictRequest request_;
  std::string patterns_;      // a file; empty: none
  std::string suppressions_;  // likewise
  std::string kinds_;
  std::string rungs_;
  bool no_confirm_ = false;
  bool find_only_ = false;
  bool all_ = false;
  std::vector<std::string> program_;  // empty: a stored run
};

}  // namespace

std::unique_ptr<Command> make_predict_command() { return std::make_unique<PredictCommand>(); }

}  // namespace unravel
