/// `unravel diff`: compares two stored runs of one program.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/comparison.hpp"

namespace unravel {

namespace {

class DiffCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    app.add_option("runs", runs_,
                   "ids of two runs, their first characters, or files of packed runs")
        ->type_name("RUN RUN");
    parsed(app, "--rows", around_, parse_rows,
           "equal rows to show around each difference: all or N (default: 3)")
        ->type_name("all|N");
    add_program_source(app, source_.program, source_.trusts_program);
    flag(app, "--run", may_run_, "run the program again if a table was not stored");
    app.footer(
        "Examples:\n  unravel diff 3fa 90c\n  unravel diff 3fa 90c --rows all\n\n"
        "Marks: < only in the left run, > only in the right run, ~ in both, with another value or\n"
        "object, · a memory access that is not shown in the other run.");
  }

  Result<void> check() override {
    if (runs_.size() == 2) return {};
    return user_error("`unravel diff` takes two runs",
                      runs_.empty()       ? "no run was given"
                      : runs_.size() == 1 ? "only one was given"
                                          : std::to_string(runs_.size()) + " were given",
                      "`unravel list` shows the stored runs");
  }

  Result<int> run(const CommandContext& context) override {
    const Result<ComparedRuns> compared =
        compare_kept(named(runs_[0]), named(runs_[1]), context.store, may_run_, context.observer);
    if (!compared) return fail(compared.error());
    context.reporter.diff(compared->left, compared->right, around_);
    return kNoFailure;
  }

 private:
  /// A run with the program that was named for both.
  [[nodiscard]] RunName named(const std::string& run) const {
    RunName name = source_;
    name.text = run;
    return name;
  }

  RunName source_;  // where the program is
  std::vector<std::string> runs_;
  std::size_t around_ = 3;  // equal rows around each difference
  bool may_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace unravel
