/// A list of stored runs, one line each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/run.hpp"
#include "report/text.hpp"

namespace unravel {

struct ListedRun {
  const Run* run = nullptr;
  std::int64_t created = 0;  // seconds since the epoch
};

/// The list with a header; ages such as "2 min ago" are relative to `now`.
std::string render_list(const std::vector<ListedRun>& runs, std::int64_t now, std::size_t columns,
                        Paint paint);

}  // namespace unravel
