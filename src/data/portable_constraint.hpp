/// Constraints that survive a rebuild: sites by function, file and line instead of by offset.
///
/// Which orders made a run fail is found out while its build is there (predict/essential_orders).
/// In another build each side is looked for among the sites that its runs come to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "wire/schedule.hpp"

namespace unravel {

/// What a run did at one site, in words of the source. A site at which several things are done,
/// such as that of a memcpy, has one for each.
struct NamedSite {
  wire::Site site;
  wire::Operation operation = wire::Operation::kNone;
  std::string function;
  std::string file;
  int line = 0;
  std::string text = {};  // of that line; empty if the source is not there

  friend bool operator==(const NamedSite&, const NamedSite&) = default;
};

/// One side of a constraint.
struct PortableEvent {
  std::string function;
  std::string file;
  int line = 0;
  int first_line = 0;      // of all that the run did in this function: edits above it do not count
  std::string text;        // of the line; edits around it do not count either
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

/// `site` is one of `all`, which is everything that the run came to.
PortableEvent portable(const NamedSite& site, std::uint64_t occurrence,
                       std::span<const NamedSite> all);

/// How much alike a line of another build must be.
enum class Likeness {
  kSame,     // it reads the same; where there is no source, it is as far down in its function
  kNearest,  // any in the function; those that read the same are nearer
};

/// The site of another build: the same operation in the same function, in a line that is as much
/// alike as can be. Nothing if there is none among `all`.
std::optional<wire::Site> find_site(const PortableEvent& event, std::span<const NamedSite> all,
                                    Likeness likeness);

/// Those of which both sides are found. A site that is the same as one side is never taken to be
/// the nearest to another: more likely the run did not come to that one.
std::vector<wire::Constraint> find_constraints(std::span<const PortableConstraint> constraints,
                                               std::span<const NamedSite> all, Likeness likeness);

std::vector<std::byte> encode(const std::vector<PortableConstraint>& constraints);
Result<std::vector<PortableConstraint>> decode_portable_constraints(
    std::span<const std::byte> bytes);

}  // namespace unravel
