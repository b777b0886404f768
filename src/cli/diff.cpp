/// `unravel diff`: two kept runs of one program, side by side.
#include "cli/command.hpp"
#include "cli/flags.hpp"
#include "investigate/comparison.hpp"

namespace unravel {

namespace {

class DiffCommand final : public Command {
 public:
  void add_flags(CLI::App& app) override {
    app.add_option("runs", runs_, "their ids or the beginnings of them")->type_name("RUN RUN");
    parsed(app, "--rows", around_, parse_rows,
           "how many rows that are alike around those that are not: all, or N (default: 3)")
        ->type_name("all|N");
    flag(app, "--run", may_run_, "run their program once more for tables that were not kept");
    app.footer(
        "Examples:\n  unravel diff 3fa 90c\n  unravel diff 3fa 90c --rows all\n\n"
        "Between the sides: < only the left run has the step, > only the right one, ~ both have "
        "it,\nbut another value or object; · an access that is not shown in the other run.");
  }

  Result<void> check() override {
    if (runs_.size() == 2) return {};
    return user_error("`unravel diff` takes two runs",
                      runs_.empty()       ? "none was named"
                      : runs_.size() == 1 ? "only one was named"
                                          : std::to_string(runs_.size()) + " were named",
                      "`unravel list` shows those that were kept");
  }

  Result<int> run(const CommandContext& context) override {
    const Result<ComparedRuns> compared =
        compare_kept(runs_[0], runs_[1], context.store, may_run_, context.observer);
    if (!compared) return fail(compared.error());
    context.reporter.diff(compared->left, compared->right, around_);
    return kNoFailure;
  }

 private:
  std::vector<std::string> runs_;
  std::size_t around_ = 3;  // rows that are alike, around those that are not
  bool may_run_ = false;
};

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace unravel
