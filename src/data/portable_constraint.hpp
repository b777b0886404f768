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

  friend bool operator==(const NamedSite&, const NamedSite&) = default;
};

/// One side of a constraint.
struct PortableEvent {
  std::string function;
  std::string file;
  int line = 0;
  int first_line = 0;      // of all that the run did in this function: edits above it do not count
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

/// The site of another build: the same operation in the same function, as many lines from its
/// beginning as can be. Nothing if there is none among `all`.
std::optional<wire::Site> find_site(const PortableEvent& event, std::span<const NamedSite> all);

/// Those of which both sides are found.
std::vector<wire::Constraint> find_constraints(std::span<const PortableConstraint> constraints,
                                               std::span<const NamedSite> all);

std::vector<std::byte> encode(const std::vector<PortableConstraint>& constraints);
Result<std::vector<PortableConstraint>> decode_portable_constraints(
    std::span<const std::byte> bytes);

}  // namespace unravel
