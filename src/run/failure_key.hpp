/// Keys: strings that are equal for the same bug under any interleaving.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/frame.hpp"
#include "data/outcome.hpp"

namespace unravel {

/// Where a thread of a deadlock took what the previous thread wants, and where it waits.
struct CycleSites {
  std::string held;
  std::string wanted;

  friend auto operator<=>(const CycleSites&, const CycleSites&) = default;
};

/// "worker src/a.c:31"; for code without source "worker libx.so+0x1234". Never contains an absolute
/// address, thread number or value.
std::string describe_place(const Frame& frame);

/// Sets `key` and `weak_key` from kind, detail, site and stack. `cycle` is that of a deadlock, or
/// empty.
void set_key(Failure& failure, std::vector<CycleSites> cycle);

}  // namespace unravel
