#include "report/diff_json.hpp"

#include "data/print.hpp"
#include "report/json.hpp"
#include "report/json_parts.hpp"

namespace unravel {

namespace {

Json side_json(const Run& run, std::uint64_t earlier) {
  return {{"run", text_or_null(run.id)},
          {"outcome", name(run.summary.outcome)},
          {"earlier_operations", earlier}};
}

Json event_json(const std::optional<wire::Event>& event) {
  if (!event) return nullptr;
  return {{"thread", event->thread.ordinal},
          {"clock", print(event->clock)},
          {"operation", wire::traits(event->operation).name}};
}

Json earlier_json(const std::optional<EarlierDifference>& earlier) {
  if (!earlier) return nullptr;
  return {{"event", earlier->event},
          {"left", event_json(earlier->left)},
          {"right", event_json(earlier->right)}};
}

Json step_or_null(const Step* step) { return step ? to_json(*step) : Json(nullptr); }

}  // namespace

std::string diff_json(const Run& left, const Run& right, const StepDiff& diff) {
  Json rows = Json::array();
  for (const DiffRow& row : diff.rows) {
    rows.push_back({{"left", step_or_null(row.left)}, {"right", step_or_null(row.right)}});
  }
  return dump({{"version", kJsonVersion},
               {"left", side_json(left, diff.left_earlier)},
               {"right", side_json(right, diff.right_earlier)},
               {"earlier_difference", earlier_json(diff.earlier_difference)},
               {"first_difference", diff.first_difference ? Json(*diff.first_difference) : Json()},
               {"rows", std::move(rows)}});
}

}  // namespace unravel
