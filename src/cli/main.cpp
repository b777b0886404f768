#include <signal.h>

#include <cerrno>
#include <exception>
#include <string_view>
#include <variant>

#include "base/files.hpp"
#include "cli/command_line.hpp"

namespace unravel {

namespace {

/// The format that was chosen, such as by --json. Used when the flags could not be parsed.
ReportOptions chosen_format(int argc, char** argv) {
  ReportOptions options;
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    for (const FormatEntry& format : all_formats()) {
      if (argv[i] == std::string("--") + format.name) options.format = &format;
    }
  }
  return options;
}

/// A closed pipe and a file size limit make a write fail, as a full disk does; the results are
/// still reported and stored. The handlers are empty because programs would inherit SIG_IGN.
void survive_failing_writes() {
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    struct sigaction action = {};
    action.sa_handler = [](int) {};
    ::sigaction(number, &action, nullptr);
  }
}

/// The exit status, given that the command returned `status`: output that could not be written
/// counts. A closed pipe, as in `unravel list | head -1`, is not reported.
int end_with(int status, const Terminal& terminal, Reporter& reporter) {
  if (terminal.error() == 0) return status;
  if (terminal.error() != EPIPE) {
    Error error = file_error("write to", "standard output", terminal.error());
    error.hint = "the output is incomplete; stored runs are in the store";
    reporter.trouble(error);
  }
  return graver(status, kUserOrEnvironment);
}

int tool(int argc, char** argv) {
  survive_failing_writes();
  Result<std::variant<CommandLine, Text>> parsed = parse(argc, argv);
  if (!parsed) {
    Terminal terminal(Color::kAuto);
    make_reporter(chosen_format(argc, argv), terminal)->error(parsed.error());
    return exit_status(parsed.error());
  }
  if (const auto* text = std::get_if<Text>(&*parsed)) {
    Terminal terminal(Color::kAuto);
    terminal.out(text->text);
    return end_with(kNoFailure, terminal, *make_reporter({}, terminal));
  }
  CommandLine& line = std::get<CommandLine>(*parsed);
  Terminal terminal(line.color);
  const std::unique_ptr<Reporter> reporter = make_reporter(line.report, terminal);
  Interruption interruption;
  ReportingObserver observer(*reporter, interruption);
  const Result<int> status = line.command->run({.store = line.store,
                                                .reporter = *reporter,
                                                .observer = observer,
                                                .format = line.report.format->name});
  if (status) return end_with(*status, terminal, *reporter);
  // Errors after an interruption are its consequences.
  const Error error = interruption.happened() ? interrupted_error() : status.error();
  reporter->error(error);
  return end_with(exit_status(error), terminal, *reporter);
}

}  // namespace

}  // namespace unravel

int main(int argc, char** argv) {
  try {
    return unravel::tool(argc, argv);
  } catch (const std::exception& exception) {
    unravel::Terminal terminal(unravel::Color::kAuto);
    unravel::make_reporter({}, terminal)
        ->error(
            {unravel::Error::Kind::kInternal, "unexpected internal error", exception.what(), {}});
    return unravel::kOurFault;
  }
}
