/// The list of output formats.
#include "report/reporter.hpp"

namespace unravel {

std::unique_ptr<Reporter> make_text_reporter(Terminal& terminal, bool quiet);
std::unique_ptr<Reporter> make_json_reporter(Terminal& terminal, bool quiet);

const std::vector<FormatEntry>& all_formats() {
  static const std::vector<FormatEntry> kFormats = {
      {"text", "print results as text", make_text_reporter},
      {"json", "print one JSON object and nothing else to standard output", make_json_reporter},
  };
  return kFormats;
}

std::unique_ptr<Reporter> make_reporter(const ReportOptions& options, Terminal& terminal) {
  return options.format->make(terminal, options.quiet);
}

}  // namespace unravel
