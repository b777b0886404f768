#include "report/diff_text.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "data/print.hpp"
#include "report/failure_text.hpp"
#include "report/local_names.hpp"
#include "report/places.hpp"
#include "report/table_rows.hpp"

namespace unravel {

namespace {

// All widths were chosen by hand.
constexpr std::size_t kGap = 2;     // between the columns of a side
constexpr std::size_t kMiddle = 3;  // " < "
constexpr std::size_t kWidestPlace = 48;
constexpr std::size_t kNarrowestPlace = 12;  // a shorter place is useless
constexpr std::size_t kNarrowestStep = 14;   // "unlock mutex 1" still fits

const char* mark_of(DiffRow::Mark mark) {
  switch (mark) {
    case DiffRow::Mark::kAlike: return " ";
    case DiffRow::Mark::kLeftOnly: return "<";
    case DiffRow::Mark::kRightOnly: return ">";
    case DiffRow::Mark::kOtherValue: return "~";
    case DiffRow::Mark::kToldByOne: return "·";
  }
  __builtin_unreachable();
}

/// A row to print, or the number of rows that are folded here.
struct Line {
  std::size_t folded = 0;
  DiffRow::Mark mark = DiffRow::Mark::kAlike;
  std::optional<TableRow> left;
  std::optional<TableRow> right;
};

/// Which rows are close enough to a difference to be shown.
std::vector<bool> shown_rows(const StepDiff& diff, std::size_t around) {
  const std::size_t count = diff.rows.size();
  if (around == TableOptions::kAllRows) return std::vector<bool>(count, true);
  std::vector<bool> shown(count, false);
  const auto show_near = [&](auto order) {
    std::size_t left = 0;  // how many more rows to show
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = order(i);
      if (diff.rows[at].differs()) {
        shown[at] = true;
        left = around;
      } else if (left > 0) {
        shown[at] = true;
        --left;
      }
    }
  };
  show_near([](std::size_t i) { return i; });
  show_near([&](std::size_t i) { return count - 1 - i; });
  return shown;
}

std::vector<Line> lines_of(const Run& left, const Run& right, const StepDiff& diff,
                           std::size_t around) {
  LocalNames left_names(left.steps);
  LocalNames right_names(right.steps);
  const auto row_of = [](const Step* step, LocalNames& names) -> std::optional<TableRow> {
    if (!step) return std::nullopt;
    TableRow row = operation_row(*step);
    // Twice: the first call keeps the function of a local variable, and half a screen has no room
    // for it.
    row.text = names.shortened(names.shortened(clean(row.text)));
    return row;
  };
  const std::vector<bool> shown = shown_rows(diff, around);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < diff.rows.size();) {
    const auto next = static_cast<std::size_t>(
        std::find(shown.begin() + static_cast<long>(i), shown.end(), true) - shown.begin());
    // A line about one folded row would take as much room as the row.
    if (next - i > 1) {
      lines.push_back({.folded = next - i});
      i = next;
      continue;
    }
    const DiffRow& row = diff.rows[i++];
    lines.push_back({.mark = row.mark,
                     .left = row_of(row.left, left_names),
                     .right = row_of(row.right, right_names)});
  }
  return lines;
}

/// The widths of the columns of a side; they are the same for both sides.
struct Widths {
  std::size_t side = 0;
  std::size_t at = 0;
  std::size_t step = 0;
  std::size_t place = 0;  // 0: no room
};

Widths widths_of(const std::vector<Line>& lines, std::size_t columns) {
  Widths widths{.side = (columns - std::min(columns, kMiddle)) / 2};
  std::size_t location = 0;  // file and line
  std::size_t place = 0;
  for (const Line& line : lines) {
    for (const std::optional<TableRow>& row : {line.left, line.right}) {
      if (!row) continue;
      widths.at = std::max(widths.at, width(row->at));
      widths.step = std::max(widths.step, width(row->text));
      if (!row->frame) continue;
      location = std::max(location, width(short_location(*row->frame)));
      place = std::max(place, width(short_place(*row->frame)));
    }
  }
  const std::size_t taken = widths.at + kGap;
  const std::size_t room = widths.side > taken ? widths.side - taken : 0;
  if (widths.step + kGap + std::min(location, kWidestPlace) > room) {
    const std::size_t for_place = std::max(kNarrowestPlace, std::min(location, room / 2)) + kGap;
    const std::size_t left = room > for_place ? room - for_place : 0;
    widths.step = std::min(widths.step, left >= kNarrowestStep ? left : room);
  }
  const std::size_t rest = room > widths.step + kGap ? room - widths.step - kGap : 0;
  widths.place = rest >= kNarrowestPlace ? std::min({rest, place, kWidestPlace}) : 0;
  return widths;
}

std::string cell(const std::optional<TableRow>& row, const Widths& widths) {
  if (!row) return {};
  std::string text = pad(row->at, widths.at + kGap);
  if (!row->frame || widths.place == 0) return cut(text + row->text, widths.side);
  text += pad(cut(row->text, widths.step), widths.step + kGap);
  return cut(text + fit_place(*row->frame, widths.place), widths.side);
}

std::string without_end_spaces(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

/// One wrapped text for each side.
std::string both_sides(const std::string& left, const std::string& right, const Widths& widths,
                       auto paint_left, auto paint_right) {
  std::vector<std::string> lefts = wrap(left, widths.side);
  std::vector<std::string> rights = wrap(right, widths.side);
  const std::size_t count = std::max(lefts.size(), rights.size());
  lefts.resize(count);
  rights.resize(count);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += without_end_spaces(paint_left(pad(lefts[i], widths.side)) + std::string(kMiddle, ' ') +
                               paint_right(rights[i])) +
            "\n";
  }
  return text;
}

/// Outcomes and numbers above the sides, as in `unravel show`.
std::string heads(const Run& left, const Run& right, const Widths& widths, Paint paint) {
  const auto by_outcome = [&](const Run& run) {
    return [&paint, &run](const std::string& text) {
      if (run.summary.outcome == Outcome::kFailed) return paint.red(text);
      return run.summary.outcome == Outcome::kPassed ? paint.green(text) : paint.yellow(text);
    };
  };
  const auto dim = [&](const std::string& text) { return paint.dim(text); };
  const Paint plain(false);
  return both_sides(outcome_line(left, plain), outcome_line(right, plain), widths, by_outcome(left),
                    by_outcome(right)) +
         both_sides(numbers_line(left), numbers_line(right), widths, dim, dim);
}

std::string row_text(const Line& line, const Widths& widths, Paint paint) {
  const std::string text = without_end_spaces(pad(cell(line.left, widths), widths.side) + " " +
                                              mark_of(line.mark) + " " + cell(line.right, widths));
  switch (line.mark) {
    case DiffRow::Mark::kAlike: return text;
    case DiffRow::Mark::kToldByOne: return paint.dim(text);
    case DiffRow::Mark::kOtherValue: return paint.cyan(text);
    case DiffRow::Mark::kLeftOnly:
    case DiffRow::Mark::kRightOnly: return paint.yellow(text);
  }
  __builtin_unreachable();
}

std::string earlier_text(const StepDiff& diff, std::uint64_t operations) {
  if (operations == 0) return {};
  return "… " + plural(operations, "earlier operation") +
         (diff.earlier_difference ? ""
          : diff.compared_earlier ? ", equal"
                                  : ", not compared");
}

std::string event_text(const std::optional<wire::Event>& event) {
  if (!event) return "nothing more";
  return print(event->thread, event->clock) + " " + wire::traits(event->operation).name;
}

/// The next step of a side, at or after a row, as text.
std::string next_step(const StepDiff& diff, std::size_t from, const Step* DiffRow::*side) {
  for (std::size_t i = from; i < diff.rows.size(); ++i) {
    const Step* step = diff.rows[i].*side;
    if (!step || diff.rows[i].mark == DiffRow::Mark::kToldByOne) continue;
    const TableRow row = operation_row(*step);
    return row.at + " " + clean(row.text) + (row.frame ? " at " + short_place(*row.frame) : "");
  }
  return "nothing more";
}

}  // namespace

std::string diff_text(const Run& left, const Run& right, const StepDiff& diff,
                      const DiffTextOptions& options, Paint paint) {
  const std::vector<Line> lines = lines_of(left, right, diff, options.around);
  const Widths widths = widths_of(lines, options.columns);
  std::string text = heads(left, right, widths, paint) + "\n";
  if (diff.left_earlier + diff.right_earlier > 0) {
    const auto dim = [&](const std::string& side) { return paint.dim(side); };
    text += both_sides(earlier_text(diff, diff.left_earlier),
                       earlier_text(diff, diff.right_earlier), widths, dim, dim);
  }
  for (const Line& line : lines) {
    text += line.folded > 0 ? paint.dim("… " + plural(line.folded, "equal step") + " …")
                            : row_text(line, widths, paint);
    text += "\n";
  }
  return text;
}

std::string first_difference_line(const StepDiff& diff) {
  std::string here = "the same steps";
  if (diff.first_difference) {
    const std::size_t at = *diff.first_difference;
    here = "step " + std::to_string(at + 1) + ": left " + next_step(diff, at, &DiffRow::left) +
           ", right " + next_step(diff, at, &DiffRow::right);
  }
  if (diff.earlier_difference) {
    const EarlierDifference& earlier = *diff.earlier_difference;
    return "the first difference: earlier, event " + std::to_string(earlier.event + 1) + ": left " +
           event_text(earlier.left) + ", right " + event_text(earlier.right) +
           "; in the stored steps: " + here;
  }
  if (diff.first_difference) here = "the first difference: " + here;
  if (!diff.compared_earlier) {
    here += "; " + plural(std::max(diff.left_earlier, diff.right_earlier), "earlier operation") +
            " could not be compared";
  }
  return here;
}

}  // namespace unravel
