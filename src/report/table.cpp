#include "report/table.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "report/places.hpp"
#include "report/table_rows.hpp"
#include "symbolize/source_lines.hpp"
#include "symbolize/symbolizer.hpp"

namespace unravel {

namespace {

// All widths were chosen by hand.
constexpr std::size_t kGap = 2;   // between columns
constexpr std::size_t kMark = 2;  // "✗ " in front of a row that failed, "▸ " of a marked one
constexpr std::size_t kWidestThread = 28;     // longer texts are wrapped
constexpr std::size_t kNarrowestThread = 14;  // "unlock mutex 1" still fits in one line
constexpr std::size_t kNarrowestPlace = 14;
constexpr std::size_t kWidestLocation = 24;  // file and line; longer names are cut
constexpr std::size_t kWidestPlace = 48;
constexpr std::size_t kNarrowestSource = 20;  // a shorter piece of source is useless

struct Column {
  std::string title;
  std::string function;  // the thread's main function
  std::size_t columns = 0;
  bool alive = true;
};

/// Widths of the columns. If the threads do not fit the screen, they share one column.
struct Layout {
  std::size_t at = 0;
  std::map<std::uint32_t, Column> threads;
  bool one_column = false;
  std::size_t operation = 0;  // width of the shared column
  std::size_t place = 0;
  std::size_t source = 0;  // 0: not shown

  std::size_t threads_width() const {
    if (one_column) return operation + kGap;
    std::size_t sum = 0;
    for (const auto& [thread, column] : threads) sum += column.columns + kGap;
    return sum;
  }
  std::size_t left_of_place() const { return kMark + at + kGap + threads_width(); }
};

std::map<std::uint32_t, std::string> thread_functions(const Run& run) {
  std::map<std::uint32_t, std::string> functions;
  const auto record = [&](std::uint32_t thread, const Stack& stack) {
    std::string function = thread_function(stack);
    if (!function.empty()) functions.emplace(thread, std::move(function));
  };
  for (const Step& step : run.steps) record(step.event.thread.ordinal, step.stack);
  if (run.failure) {
    for (const ThreadAtFailure& thread : run.failure->threads) record(thread.thread, thread.stack);
  }
  return functions;
}

std::size_t widest(const std::vector<TableRow>& rows, auto text_of) {
  std::size_t most = 0;
  for (const TableRow& row : rows) {
    if (row.kind != TableRow::Kind::kSwitch) most = std::max(most, width(text_of(row)));
  }
  return most;
}

void make_columns(Layout& layout, const std::map<std::uint32_t, std::string>& functions,
                  const std::vector<TableRow>& rows) {
  std::set<std::uint32_t> seen;
  for (const TableRow& row : rows) {
    if (row.kind == TableRow::Kind::kSwitch) continue;
    Column& column = layout.threads[row.thread];
    column.columns = std::max(column.columns, std::min(width(row.text), kWidestThread));
    if (seen.insert(row.thread).second) column.alive = !row.starts;
  }
  for (auto& [thread, column] : layout.threads) {
    column.title = "T" + std::to_string(thread);
    const auto function = functions.find(thread);
    if (function != functions.end()) column.function = function->second;
    column.columns = std::max(
        {column.columns, width(column.title), std::min(width(column.function), kNarrowestThread)});
  }
}

/// Narrows the widest columns until file and line fit on the right, or until no column can be
/// narrower.
void narrow(Layout& layout, std::size_t screen, std::size_t location) {
  const std::size_t wanted = std::max(kNarrowestPlace, std::min(location, kWidestLocation));
  while (layout.left_of_place() + wanted > screen) {
    auto victim = std::max_element(
        layout.threads.begin(), layout.threads.end(),
        [](const auto& a, const auto& b) { return a.second.columns < b.second.columns; });
    if (victim == layout.threads.end() || victim->second.columns <= kNarrowestThread) break;
    --victim->second.columns;
  }
  layout.one_column = layout.left_of_place() + kNarrowestPlace > screen;
}

Layout lay_out(const std::map<std::uint32_t, std::string>& functions,
               const std::vector<TableRow>& rows, const TableOptions& options) {
  Layout layout;
  layout.at = widest(rows, [](const TableRow& row) { return row.at; });
  layout.operation =
      std::min(widest(rows, [](const TableRow& row) { return row.text; }), kWidestThread);
  make_columns(layout, functions, rows);
  narrow(layout, options.columns, widest(rows, [](const TableRow& row) {
           return row.frame ? short_location(*row.frame) : std::string();
         }));

  const std::size_t left = layout.left_of_place();
  const std::size_t room =
      options.columns > left + kNarrowestPlace ? options.columns - left : kNarrowestPlace;
  const std::size_t wanted = widest(rows, [](const TableRow& row) {
    return row.frame ? short_place(*row.frame) : std::string();
  });
  layout.place = std::min({std::max(wanted, std::size_t{5}), room, kWidestPlace});
  const std::size_t rest = room - layout.place;
  layout.source = options.source && rest >= kNarrowestSource + kGap ? rest - kGap : 0;
  return layout;
}

class Renderer {
 public:
  Renderer(Layout layout, Paint paint) : layout_(std::move(layout)), paint_(paint) {}

  std::string render(const TableRows& table) {
    header();
    if (table.left_out > 0) {
      const std::string text = "… " + plural(table.left_out, "earlier operation");
      finish(indent() + paint_.dim(text));
    }
    for (const TableRow& row : table.rows) {
      if (row.kind == TableRow::Kind::kSwitch) {
        switch_line(row);
      } else {
        row_lines(row);
      }
    }
    return std::move(out_);
  }

 private:
  std::string indent() const { return std::string(kMark + layout_.at + kGap, ' '); }

  void finish(std::string line) {
    while (line.ends_with(' ')) line.pop_back();
    out_ += line + "\n";
  }

  void header() {
    std::string titles = std::string(kMark, ' ') + pad("at", layout_.at + kGap);
    std::string functions = indent();
    bool any = false;
    if (layout_.one_column) titles += pad("operation", layout_.operation + kGap);
    for (const auto& [thread, column] : layout_.threads) {
      if (layout_.one_column) break;
      titles += pad(column.title, column.columns + kGap);
      functions += pad(cut(column.function, column.columns), column.columns + kGap);
      any = any || !column.function.empty();
    }
    finish(paint_.bold(titles + "where"));
    if (any) finish(paint_.dim(functions));
  }

  void switch_line(const TableRow& row) {
    const std::size_t room = std::max(layout_.threads_width(), kGap) - kGap;
    std::string text = "── " + row.text + " ──";
    for (std::size_t taken = width(text); taken < room; ++taken) text += "─";
    finish(indent() + (row.preemption ? paint_.yellow(text) : paint_.dim(text)));
  }

  /// The cells of all threads in one line of a row; `text` is for the cell of the row's thread.
  std::string cells(const TableRow& row, const std::string& text) const {
    const auto painted = [&](const std::string& cell) {
      return row.kind == TableRow::Kind::kFailure ? paint_.red(cell) : cell;
    };
    if (layout_.one_column) return painted(pad(text, layout_.operation + kGap));
    std::string line;
    for (const auto& [thread, column] : layout_.threads) {
      if (thread == row.thread) {
        line += painted(pad(text, column.columns + kGap));
      } else if (column.alive) {
        line += paint_.dim("│") + std::string(column.columns + kGap - 1, ' ');
      } else {
        line += std::string(column.columns + kGap, ' ');
      }
    }
    return line;
  }

  std::string place(const TableRow& row) {
    if (!row.frame) return {};
    const std::string location = fit_place(*row.frame, layout_.place);
    if (layout_.source == 0) return paint_.cyan(location);
    const std::optional<std::string> source = sources_.line(row.frame->file, row.frame->line);
    if (!source) return paint_.cyan(location);
    return paint_.cyan(pad(location, layout_.place + kGap)) +
           paint_.dim(cut(*source, layout_.source));
  }

  void row_lines(const TableRow& row) {
    Column& column = layout_.threads.at(row.thread);
    column.alive = true;
    const bool failed = row.kind == TableRow::Kind::kFailure;
    const std::vector<std::string> lines =
        wrap(row.text, layout_.one_column ? layout_.operation : column.columns);
    const std::string mark = failed       ? paint_.red("✗ ")
                             : row.marked ? paint_.yellow("▸ ")
                                          : std::string(kMark, ' ');
    finish(mark + paint_.dim(pad(row.at, layout_.at + kGap)) + cells(row, lines[0]) + place(row));
    for (std::size_t i = 1; i < lines.size(); ++i) finish(indent() + cells(row, lines[i]));
    if (row.ends) column.alive = false;
  }

  Layout layout_;
  Paint paint_;
  SourceLines sources_;
  std::string out_;
};

}  // namespace

std::string render_table(const Run& run, const TableOptions& options, Paint paint) {
  if (run.steps.empty()) return {};
  return render_rows(table_rows(run, options.rows), thread_functions(run), options, paint);
}

std::string render_rows(const TableRows& table,
                        const std::map<std::uint32_t, std::string>& functions,
                        const TableOptions& options, Paint paint) {
  return Renderer(lay_out(functions, table.rows, options), paint).render(table);
}

std::string thread_function(const Stack& stack) {
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
    if (!is_system(*frame) && !frame->function.empty()) return short_function(frame->function);
  }
  return {};
}

}  // namespace unravel
