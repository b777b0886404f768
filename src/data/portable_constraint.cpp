#include "data/portable_constraint.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "data/bytes.hpp"
#include "wire/version.hpp"

namespace unravel {

namespace {

constexpr Format kFormat = {.magic = "UNRAVCON",
                            .noun = "stored list of constraints",
                            .version = 1,
                            .operation_table = wire::kOperationTableVersion};

constexpr std::size_t kSmallestEvent = 8;

/// The first line of a function that the run reached; `line` if it reached none.
int first_line_of(const std::string& function, const std::string& file, int line,
                  std::span<const NamedSite> all) {
  bool found = false;
  int first = line;
  for (const NamedSite& site : all) {
    if (site.function != function || site.file != file) continue;
    first = found ? std::min(first, site.line) : site.line;
    found = true;
  }
  return first;
}

/// The sites of one operation in one line, sorted by offset.
std::vector<wire::Site> in_line(const NamedSite& like, std::span<const NamedSite> all) {
  std::vector<wire::Site> sites;
  for (const NamedSite& site : all) {
    const bool same = site.operation == like.operation && site.line == like.line &&
                      site.function == like.function && site.file == like.file;
    if (same) sites.push_back(site.site);
  }
  std::sort(sites.begin(), sites.end(),
            [](wire::Site one, wire::Site other) { return one.packed < other.packed; });
  return sites;
}

/// One of `candidates`, a subset of what the run reached.
std::optional<wire::Site> find_among(const PortableEvent& event,
                                     std::span<const NamedSite> candidates,
                                     std::span<const NamedSite> all, Likeness likeness) {
  const int first_line = first_line_of(event.function, event.file, event.first_line, all);
  const int wanted = event.line - event.first_line;
  // A different text counts more than any distance in lines.
  const auto distance = [&](const NamedSite& site) {
    const bool reads_otherwise = event.text.empty() || site.text != event.text;
    return std::pair(reads_otherwise, std::abs(site.line - first_line - wanted));
  };
  const NamedSite* nearest = nullptr;
  for (const NamedSite& site : candidates) {
    const bool may_be = site.operation == event.operation && site.function == event.function &&
                        site.file == event.file;
    if (may_be && (!nearest || distance(site) < distance(*nearest))) nearest = &site;
  }
  if (!nearest) return std::nullopt;
  const bool is_same =
      event.text.empty() ? distance(*nearest).second == 0 : nearest->text == event.text;
  if (likeness == Likeness::kSame && !is_same) return std::nullopt;
  const std::vector<wire::Site> beside = in_line(*nearest, all);
  return beside[std::min<std::size_t>(event.rank, beside.size() - 1)];
}

void write(FieldWriter& out, const PortableEvent& event) {
  out.text(event.function);
  out.text(event.file);
  out.number(static_cast<std::uint64_t>(event.line));
  out.number(static_cast<std::uint64_t>(event.first_line));
  out.text(event.text);
  out.number(event.rank);
  out.number(static_cast<std::uint64_t>(event.operation));
  out.number(event.occurrence);
}

PortableEvent read_event(FieldReader& in) {
  constexpr std::uint64_t kMostLines = 1u << 28;  // so differences of lines fit, too
  PortableEvent event;
  event.function = in.text();
  event.file = in.text();
  event.line = static_cast<int>(in.number_below(kMostLines, "line"));
  event.first_line = static_cast<int>(in.number_below(kMostLines, "line"));
  event.text = in.text();
  event.rank = in.integer<std::uint32_t>("rank");
  event.operation = in.enumerator<wire::Operation>(wire::kOperationCount, "operation");
  event.occurrence = in.number();
  return event;
}

}  // namespace

PortableEvent portable(const NamedSite& site, std::uint64_t occurrence,
                       std::span<const NamedSite> all) {
  const std::vector<wire::Site> beside = in_line(site, all);
  const auto at = std::find(beside.begin(), beside.end(), site.site);
  return {.function = site.function,
          .file = site.file,
          .line = site.line,
          .first_line = first_line_of(site.function, site.file, site.line, all),
          .text = site.text,
          .rank = static_cast<std::uint32_t>(at == beside.end() ? 0 : at - beside.begin()),
          .operation = site.operation,
          .occurrence = occurrence};
}

std::optional<wire::Site> find_site(const PortableEvent& event, std::span<const NamedSite> all,
                                    Likeness likeness) {
  return find_among(event, all, all, likeness);
}

std::vector<wire::Constraint> find_constraints(std::span<const PortableConstraint> constraints,
                                               std::span<const NamedSite> all, Likeness likeness) {
  std::vector<NamedSite> left(all.begin(), all.end());  // candidates for the nearest match
  if (likeness == Likeness::kNearest) {
    for (const PortableConstraint& one : constraints) {
      for (const PortableEvent* side : {&one.first, &one.then}) {
        const auto same = find_site(*side, all, Likeness::kSame);
        if (same) std::erase_if(left, [&](const NamedSite& site) { return site.site == *same; });
      }
    }
  }
  const auto find = [&](const PortableEvent& event) {
    const auto same = find_site(event, all, Likeness::kSame);
    return same || likeness == Likeness::kSame ? same : find_among(event, left, all, likeness);
  };
  std::vector<wire::Constraint> found;
  for (const PortableConstraint& one : constraints) {
    const auto first = find(one.first);
    const auto then = find(one.then);
    if (!first || !then || found.size() == wire::kMostConstraints) continue;
    wire::Constraint constraint;
    constraint.first.site = *first;
    constraint.first.operation = one.first.operation;
    constraint.first.occurrence = one.first.occurrence;
    constraint.then.site = *then;
    constraint.then.operation = one.then.operation;
    constraint.then.occurrence = one.then.occurrence;
    found.push_back(constraint);
  }
  return found;
}

std::vector<std::byte> encode(const std::vector<PortableConstraint>& constraints) {
  FieldWriter out(kFormat);
  out.number(constraints.size());
  for (const PortableConstraint& one : constraints) {
    write(out, one.first);
    write(out, one.then);
  }
  return out.seal();
}

Result<std::vector<PortableConstraint>> decode_portable_constraints(
    std::span<const std::byte> bytes) {
  Result<FieldReader> opened = FieldReader::open(kFormat, bytes);
  if (!opened) return fail(opened.error());
  FieldReader& in = *opened;
  std::vector<PortableConstraint> constraints;
  const std::size_t count = in.count(2 * kSmallestEvent);
  for (std::size_t i = 0; i < count && in.good(); ++i) {
    PortableConstraint& one = constraints.emplace_back();
    one.first = read_event(in);
    one.then = read_event(in);
  }
  if (const std::optional<Error> error = in.finish()) return fail(*error);
  return constraints;
}

}  // namespace unravel
