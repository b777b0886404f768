#include "report/show_text.hpp"

#include "report/failure_text.hpp"

namespace unravel {

namespace {

std::string left_out(std::string_view stream, std::uint64_t bytes) {
  if (bytes == 0) return {};
  return "  only the first and last part of its " + std::string(stream) + " were stored, without " +
         plural(bytes, "byte") + " between them\n";
}

}  // namespace

std::string run_text(const Run& run, const TableOptions& options, const std::string& schedule_file,
                     Paint paint) {
  std::string text = outcome_line(run, paint) + "\n  program: " + program_text(run.program) +
                     "\n  " + numbers_line(run) + "\n" + client_text(run);
  text += left_out("standard output", run.output_left_out);
  text += left_out("error output", run.error_output_left_out);
  text += "\n";
  if (!run.steps.empty()) {
    text += render_table(run, options, paint);
    if (run.failure) text += "  " + paint.red(failure_title(*run.failure)) + "\n";
    text += "\n";
  }
  if (run.failure) text += failure_text(*run.failure, paint);
  const std::string schedule = to_string(run.schedule);
  text += "\nschedule: " +
          (schedule.size() <= kLongestScheduleString ? schedule : clean(schedule_file)) + "\n";
  return text;
}

}  // namespace unravel
