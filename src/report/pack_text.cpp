#include "report/pack_text.hpp"

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/json_parts.hpp"

namespace unravel {

namespace {

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1024) return plural(bytes, "byte");
  if (bytes < 1024 * 1024) return std::to_string(bytes >> 10) + " KiB";
  return std::to_string(bytes >> 20) + " MiB";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + clean(name);
  return text;
}

std::string has(const PackedReport& report) {
  std::string text = "  in it: the schedule, the outcome, the output";
  if (report.has_table) text += ", the table";
  if (report.has_inputs) {
    text += ", the recorded inputs (" + size_text(report.input_bytes) + ")";
  }
  if (!report.variables.empty()) text += ", of the environment " + listed(report.variables);
  if (!report.files.empty()) {
    const std::size_t libraries = report.files.size() - 1;
    text += ", the program and " + std::to_string(libraries) +
            (libraries == 1 ? " library" : " libraries");
  }
  return text;
}

std::string has_not(const PackedReport& report) {
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (!report.why_no_inputs.empty()) add("the inputs (" + clean(report.why_no_inputs) + ")");
  if (report.variables_left_out > 0) {
    add(plural(report.variables_left_out, "variable") +
        " of the environment (--with-environment NAME,…)");
  }
  if (report.files.empty()) add("the program and its libraries (--with-program)");
  return text;
}

}  // namespace

std::string pack_text(const PackedReport& report) {
  std::string text = "packed run " + clean(report.run) + " into " + clean(report.file) + " (" +
                     size_text(report.bytes) + ")\n" + has(report) + "\n";
  if (const std::string left_out = has_not(report); !left_out.empty()) {
    text += "  left out: " + left_out + "\n";
  }
  return text + "`unravel replay " + clean(report.file) + "` repeats it\n";
}

std::string pack_json(const PackedReport& report) {
  return dump({{"version", kJsonVersion},
               {"run", report.run},
               {"file", report.file},
               {"bytes", report.bytes},
               {"table", report.has_table},
               {"inputs", report.has_inputs},
               {"input_bytes", report.input_bytes},
               {"variables", report.variables},
               {"variables_left_out", report.variables_left_out},
               {"files", report.files}});
}

}  // namespace unravel
