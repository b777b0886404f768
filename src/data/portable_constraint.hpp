/// Constraints that survive a rebuild: sites by function, file and line instead of by offset.
///
/// The orders that made a run fail are found while its build exists (predict/essential_orders). In
/// another build each side is looked for among the sites that its runs reach.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// An operation at a site, in terms of the source. A site with several operations, such as that of
/// a memcpy, has one entry for each.
struct NamedSite {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  std::string function;
  std::string file;
  int line = 0;
  std::string text = {};  // the line's text; empty if there is no source

  friend bool operator==(const NamedSite&, const NamedSite&) = default;
};

/// One side of a constraint.
struct PortableEvent {
  std::string function;
  std::string file;
  int line = 0;
  int first_line = 0;      // the first line of this function that the run reached: edits above the
                           // function do not matter
  std::string text;        // the line's text: edits around it do not matter either
  std::uint32_t rank = 0;  // among sites of this operation in this line, by offset
  wire::Operation operation = wire::Operation::kNone;
  std::uint64_t occurrence = 0;  // over all threads, from 1

  friend bool operator==(const PortableEvent&, const PortableEvent&) = default;
};

/// `first` happened before `then` in a run that failed.
struct PortableConstraint {
  PortableEvent first;
  PortableEvent then;

  friend bool operator==(const PortableConstraint&, const PortableConstraint&) = default;
};

/// `site` is one of `all`, which is everything that the run reached.
PortableEvent portable(const NamedSite& site, std::uint64_t occurrence,
                       std::span<const NamedSite> all);

/// How similar a line of another build must be.
enum class Likeness {
  kSame,     // the same text or, without source, the same distance from the function's start
  kNearest,  // any line of the function; lines with the same text are preferred
};

/// The site in another build: the same operation in the same function, in the most similar line.
/// Nothing if `all` has none.
std::optional<wire::Site> find_site(const PortableEvent& event, std::span<const NamedSite> all,
                                    Likeness likeness);

/// The constraints whose two sides were both found. A site that exactly matches one side is never
/// used as the nearest match of another: more likely, the run did not reach that other one.
std::vector<wire::Constraint> find_constraints(std::span<const PortableConstraint> constraints,
                                               std::span<const NamedSite> all, Likeness likeness);

std::vector<std::byte> encode(const std::vector<PortableConstraint>& constraints);
Result<std::vector<PortableConstraint>> decode_portable_constraints(
    std::span<const std::byte> bytes);

}  // namespace unravel
