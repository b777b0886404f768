#include "data/bytes_constraints.hpp"

#include <string>

namespace unravel {

namespace {

// In version 1 no pattern names a thread. This is added to the operation, once for each kind of
// naming, if a thread follows.
constexpr std::uint64_t kNamesThread = 256;

void write(FieldWriter& out, const wire::EventPattern& pattern) {
  out.number(pattern.site.packed);
  out.number(pattern.object);
  out.number(pattern.occurrence);
  out.number(static_cast<std::uint64_t>(pattern.operation) +
             kNamesThread * static_cast<std::uint64_t>(pattern.whose));
  if (pattern.whose != wire::Whose::kAny) out.number(pattern.thread);
}

wire::EventPattern read_pattern(FieldReader& in) {
  wire::EventPattern pattern;
  pattern.site.packed = in.number();
  pattern.object = in.number();
  pattern.occurrence = in.number();
  const std::uint64_t what = in.number();
  if (in.good() &&
      (what % kNamesThread >= wire::kOperationCount || what / kNamesThread >= wire::kWhoseCount)) {
    in.refuse("operation " + std::to_string(what) + " is not known to this version");
    return pattern;
  }
  pattern.operation = static_cast<wire::Operation>(what % kNamesThread);
  pattern.whose = static_cast<wire::Whose>(what / kNamesThread);
  if (pattern.whose != wire::Whose::kAny) {
    pattern.thread = static_cast<std::uint32_t>(in.number_below(wire::kMostThreadsInRun, "thread"));
  }
  return pattern;
}

}  // namespace

void write_constraints(FieldWriter& out, const std::vector<wire::Constraint>& constraints) {
  out.number(constraints.size());
  for (const wire::Constraint& constraint : constraints) {
    write(out, constraint.first);
    write(out, constraint.then);
    out.number(constraint.give_up);
  }
}

std::vector<wire::Constraint> read_constraints(FieldReader& in) {
  std::vector<wire::Constraint> constraints(in.count(9));
  if (constraints.size() > wire::kMostConstraints) {
    in.refuse("it has " + std::to_string(constraints.size()) + " constraints, and a run keeps " +
              std::to_string(wire::kMostConstraints) + " at the most");
    return {};
  }
  for (wire::Constraint& constraint : constraints) {
    constraint.first = read_pattern(in);
    constraint.then = read_pattern(in);
    constraint.give_up = in.number();
    if (!in.good()) return {};
  }
  return constraints;
}

}  // namespace unravel
