#include "report/clip_text.hpp"

#include "data/print.hpp"
#include "report/local_names.hpp"
#include "report/table.hpp"

namespace unravel {

namespace {

std::vector<Step> steps_of(const std::vector<ClipRow>& clip) {
  std::vector<Step> steps;
  for (const ClipRow& row : clip) {
    Step step;
    step.event.thread = row.event.thread;
    step.event.clock = row.event.clock;
    step.event.operation = row.event.operation;
    step.stack = row.event.stack;
    step.object = row.event.variable;
    steps.push_back(std::move(step));
  }
  return steps;
}

TableRow line_between(std::string text) {
  TableRow row;
  row.kind = TableRow::Kind::kSwitch;
  row.text = std::move(text);
  return row;
}

}  // namespace

std::string clip_text(const std::vector<ClipRow>& clip, std::size_t columns, Paint paint) {
  if (clip.empty()) return {};
  const std::vector<Step> steps = steps_of(clip);
  LocalNames names(steps);
  TableRows table;
  std::map<std::uint32_t, std::string> functions;
  for (std::size_t i = 0; i < clip.size(); ++i) {
    const wire::ThreadId thread = clip[i].event.thread;
    if (clip[i].left_out > 0) {
      table.rows.push_back(line_between("… " + plural(clip[i].left_out, "operation")));
    } else if (i > 0 && thread != clip[i - 1].event.thread && !clip[i].is_blocked) {
      table.rows.push_back(line_between(print(clip[i - 1].event.thread) + " → " + print(thread)));
    }
    TableRow row = operation_row(steps[i]);
    if (clip[i].is_blocked) {
      row.kind = TableRow::Kind::kFailure;
      row.text = "blocked in " + row.text;
    }
    row.marked = clip[i].is_side;
    row.text = names.shortened(std::move(row.text));
    table.rows.push_back(std::move(row));
    const std::string function = thread_function(clip[i].event.stack);
    if (!function.empty()) functions.emplace(thread.ordinal, function);
  }
  return render_rows(table, functions, {.columns = columns}, paint);
}

}  // namespace unravel
