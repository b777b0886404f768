/// Short names of local variables.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/run.hpp"

namespace unravel {

/// `counter in main()` becomes `counter` from its second occurrence on, unless there is another
/// variable `counter`.
class LocalNames {
 public:
  explicit LocalNames(std::span<const Step> steps);

  /// Shortens the text of a row. Call it in the order of the rows.
  std::string shortened(std::string text);

 private:
  struct Name {
    std::string full;
    std::string alone;
    bool was_told = false;
  };

  std::vector<Name> names_;
};

}  // namespace unravel
